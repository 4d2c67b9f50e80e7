/** Name of the embedding model that every local emulator has, in place of one loaded with DBMS_VECTOR. */
export const EMULATED_MODEL = 'LOCAL_WORD_TABLE';
