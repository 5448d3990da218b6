/**
 * Returns a function that adds its part of the tax to each line of a price, in order, so that the lines
 * add up to the total. `total`: an amount with all decimals.
 */
export function taxShares(percent: number, total: string): (amount: string) => number {
  const scale = 10 ** (total.split('.')[1]?.length ?? 0)
  const tenThousandths = Math.round(percent * 10_000)
  let [net, sum] = [0, 0]
  return (amount) => {
    const before = sum
    net += Math.round(+amount * scale)
    // Half up, as the server rounds the tax of the whole.
    sum = net + Math.floor((net * tenThousandths + 500_000) / 1_000_000)
    return (sum - before) / scale
  }
}
