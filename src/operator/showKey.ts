import type { ShownApiKey } from '../services/createApiKey.ts'

/** A new secret for a person; there is no second look at it. */
export function showOnce(shown: ShownApiKey): string {
  return (
    `${shown.key}\n\nSave it now. It is stored as a hash and can't be shown again.\n` +
    `id       ${shown.id}\n${settingsLines(shown)}` +
    `expires  ${shown.expiresAt?.toISOString() ?? 'never'}\n`
  )
}

/** What a key may do, a line each. */
export function settingsLines({
  scopes,
  origins,
  limits,
}: Pick<ShownApiKey, 'scopes' | 'origins' | 'limits'>): string {
  return (
    `scopes   ${scopes.join(', ')}\n` +
    `origins  ${origins.join(', ') || 'none (servers only)'}\n` +
    `limits   ${ownLimits(limits, ', ') || 'defaults'}\n`
  )
}

/** The limits a key has of its own, as they are set. */
export function ownLimits(limits: ShownApiKey['limits'], separator: string): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name}=${limit}`)
    .join(separator)
}
