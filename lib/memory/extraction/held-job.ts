/** A job whose lease the caller holds. */
export interface HeldJob {
  readonly jobId: string;
  readonly leaseToken: string;
}
