import type { EmbeddingModel } from '../oracle/engine/oracle-engine.ts';
import { loadLocalEmbedder } from './load-local-embedder.ts';

/** The local embedder as a model of the database. Its word table is read when a statement first names the model. */
export function createLocalDatabaseModel(): EmbeddingModel {
  let loaded: ReturnType<typeof loadLocalEmbedder> | undefined;
  const embedder = () => {
    loaded ??= loadLocalEmbedder();
    return loaded;
  };
  return {
    get dimensions() {
      return embedder().dimensions ?? 0;
    },
    embed(texts) {
      // A model of the database has a vector for white space too; the embedder refuses it.
      const inputs = texts.map((text) => (text.trim() === '' ? '.' : text));
      return embedder().embed({ texts: inputs, purpose: 'document' });
    },
  };
}
