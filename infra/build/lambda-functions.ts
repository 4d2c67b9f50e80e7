/** One deployed function: its bundle is `dist/lambda/<name>/index.mjs`. */
export interface LambdaFunction {
  readonly name: string;
  /** Module that exports `handler`, from the root of the project. */
  readonly entry: string;
}

/** Folders of `functions` and the verbs in each that are deployed. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  threads: ['create', 'get', 'delete'],
  messages: ['add', 'get'],
  memories: ['add', 'add-to-thread', 'get', 'delete'],
  users: ['add', 'get'],
  agents: ['add', 'get'],
  search: ['search', 'search-thread'],
  'context-card': ['get'],
  summary: ['get'],
  service: ['service'],
};

/** Every function that is deployed to AWS Lambda. */
export const LAMBDA_FUNCTIONS: readonly LambdaFunction[] = Object.entries(VERBS).flatMap(([folder, verbs]) =>
  verbs.map((verb) => ({
    name: folder === verb ? verb : `${folder}-${verb}`,
    entry: `functions/${folder}/${verb}.ts`,
  })),
);
