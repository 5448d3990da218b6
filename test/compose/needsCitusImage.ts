/**
 * Requires CITUS_IMAGE. There is no suitable default image.
 * @throws Error if it is not set
 */
export function setup(): void {
  if (process.env['CITUS_IMAGE']) return
  throw new Error(
    'These tests need an image of PostgreSQL with Citus: set CITUS_IMAGE (docs/scaling.md).',
  )
}
