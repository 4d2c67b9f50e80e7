/** Turns an ISO-8601 time in UTC into what `timestampInput` reads: Oracle's TZH:TZM takes no `Z`. */
export function timestampText(iso: string): string {
  return iso.replace(/Z$/, '+00:00');
}

/** A TIMESTAMP WITH TIME ZONE from text with a numeric offset. */
export function timestampInput(expression: string): string {
  return `TO_TIMESTAMP_TZ(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')`;
}

/** ISO-8601 in UTC with milliseconds and `Z`, whatever the session's time zone. */
export function timestampOutput(expression: string): string {
  return `TO_CHAR(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"')`;
}

/** True for rows that have not expired: they are invisible from that instant, purged or not (contract §11). */
export function notExpired(alias: string): string {
  return `(${alias}.expires_at IS NULL OR ${alias}.expires_at > SYSTIMESTAMP)`;
}
