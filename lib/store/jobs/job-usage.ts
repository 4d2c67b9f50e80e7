import { type Binds, number } from '../../sql/bind.ts';

/** Model calls and tokens of one attempt; null where no model told. */
interface AttemptUsage {
  readonly llmCalls: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

export function usageBinds({ llmCalls, promptTokens, completionTokens }: AttemptUsage): Binds {
  return {
    llm_calls: number(llmCalls),
    prompt_tokens: number(promptTokens),
    completion_tokens: number(completionTokens),
  };
}

/** Assignments that add the usage of an attempt to that of job `j`. Unknown stays unknown until a model tells. */
export function addUsage(): string {
  const sum = (column: string) =>
    `j.${column} = CASE WHEN :${column} IS NULL THEN j.${column} ELSE NVL(j.${column}, 0) + :${column} END`;
  return `j.llm_calls = j.llm_calls + :llm_calls,
  ${sum('prompt_tokens')},
  ${sum('completion_tokens')}`;
}
