/** Returns the samples without labels of a replica's /metrics, by name. */
export async function figuresOf(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return new Map(
    text.split('\n').map((line) => {
      const [name = '', value] = line.split(' ')
      return [name, Number(value)]
    }),
  )
}
