import type { EmbeddingModel } from '../oracle/engine/oracle-engine.ts';
import { loadLocalEmbedder } from './load-local-embedder.ts';

/** Name of the embedding model that every local emulator has, in place of one loaded with DBMS_VECTOR. */
export const LOCAL_DATABASE_MODEL = 'LOCAL_WORD_TABLE';

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
