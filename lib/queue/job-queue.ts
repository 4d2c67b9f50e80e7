/** Says that a job may be due. It carries no work: the job row decides what happens, and may be asked any number of times. */
export interface WakeUp {
  readonly jobId: string;
  /** Seconds before a consumer hears of it, at most 900. @default 0 */
  readonly delaySeconds?: number;
}

/**
 * Carries wake-ups to whoever consumes extraction jobs, at least once and in any order. A wake-up that is lost costs
 * time, never work: a sweep sends another for each job that is still due.
 */
export interface JobQueue {
  /** @throws AgentMemoryError `unavailable` when the queue did not take it */
  send(wakeUp: WakeUp, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Takes no further wake-up and frees what the queue holds; those that it took are not lost by it. One whose consumer is
   * this process waits for it, by default 10 seconds.
   */
  close(options?: { readonly timeoutSeconds?: number | undefined }): Promise<void>;
}

/** The longest delay that every queue can carry, in seconds (Amazon SQS: DelaySeconds). */
export const LONGEST_DELAY_SECONDS = 900;
