/** Refuses in one line without it: there is none that would be right for everybody. */
export function setup(): void {
  if (process.env['CITUS_IMAGE']) return
  throw new Error(
    'These tests need an image of PostgreSQL with Citus: set CITUS_IMAGE (docs/scaling.md).',
  )
}
