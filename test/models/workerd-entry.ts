import { createLocalEmbedder } from '../../lib/models/local/local-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createTiktokenTokenizer, type TiktokenRanks } from '../../lib/models/tiktoken/tiktoken-tokenizer.ts';
import { renderPrompt } from './rules-prompt.ts';

/** Modules that workerd gives to the test's worker. */
interface WorkerdModules {
  readonly wasm: WebAssembly.Module;
  readonly ranks: TiktokenRanks;
  readonly wordTable: ArrayBuffer;
}

/** Runs the models inside workerd on the text of a request; the answer is what each made of it. */
export function createWorker({ wasm, ranks, wordTable }: WorkerdModules) {
  return {
    async fetch(request: Request): Promise<Response> {
      const text = await request.text();
      const tokenizer = await createTiktokenTokenizer({ wasm, ranks });
      const embedder = createLocalEmbedder(new Uint8Array(wordTable));
      const [vector] = await embedder.embed({ texts: [text], purpose: 'document' });
      const prompt = renderPrompt({ messages: [{ id: 'm1', role: 'user', content: text }] });
      const extracted = await createRulesLlm().generate({
        purpose: 'memory_extraction',
        messages: [{ role: 'user', content: prompt }],
        responseJsonSchema: {},
      });
      return Response.json({
        isCompiledModule: wasm instanceof WebAssembly.Module,
        tokens: tokenizer.count(text),
        chunks: tokenizer.split(text, { maxTokens: 8, overlapTokens: 2 }),
        vector: Array.from(vector ?? []),
        memories: extracted.text,
      });
    },
  };
}
