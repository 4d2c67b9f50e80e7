import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openApiDocument } from '../../functions/service/openapi-document.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

const DOCUMENT_ID = 'openapi';
const NULL_BODY_STATUSES = new Set([101, 204, 205, 304]);
const routes = ALL_CONTRACTS.map(({ method, path }) => ({
  method: method.toUpperCase(),
  path: `/v1${path}`,
  pattern: new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Checks answers against what the OpenAPI document says about them. */
export interface OpenApiValidator {
  /** Answers that were checked so far, by status. */
  readonly checked: ReadonlyMap<number, number>;
  /** @throws Error naming what does not fit: an undeclared status or type, a body that is not of its schema */
  check(method: string, path: string, response: Response): Promise<void>;
}

export function createOpenApiValidator(): OpenApiValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT_ID, ...openApiDocument() });
  const validators = new Map<string, ValidateFunction | undefined>();
  const checked = new Map<number, number>();
  const validatorOf = (pointer: string): ValidateFunction | undefined => {
    if (!validators.has(pointer)) validators.set(pointer, ajv.getSchema(`${DOCUMENT_ID}#${pointer}`));
    return validators.get(pointer);
  };
  return {
    checked,
    async check(method, path, response) {
      const route = routes.find((each) => each.method === method && each.pattern.test(path));
      if (route === undefined || NULL_BODY_STATUSES.has(response.status)) return;
      const type = (response.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
      const place = `${method} ${route.path} answered ${response.status} ${type}`;
      const steps = [
        route.path,
        method.toLowerCase(),
        'responses',
        response.status,
        'content',
        type,
        'schema',
      ];
      const validate = validatorOf(`/paths/${steps.map(pointerStep).join('/')}`);
      if (validate === undefined) throw new Error(`${place}: the document does not declare it`);
      const text = await response.clone().text();
      const bodies = type === 'application/x-ndjson' ? text.trimEnd().split('\n') : [text];
      for (const body of bodies) {
        if (!validate(JSON.parse(body))) throw new Error(`${place}: ${ajv.errorsText(validate.errors)}`);
      }
      checked.set(response.status, (checked.get(response.status) ?? 0) + 1);
    },
  };
}

function pointerStep(step: string | number): string {
  return encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'));
}
