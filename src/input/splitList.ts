/** The entries of a comma-separated list, without blanks around them and empty ones. */
export function splitList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '')
}
