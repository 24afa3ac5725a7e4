import type { Id } from '#kit/domain/id.ts'

export interface Payer {
  readonly kind?: 'resident' | 'company' | undefined
  readonly id?: Id | undefined
  readonly name?: string | undefined
}

interface PayableRow {
  readonly row: {
    readonly payerKind?: Payer['kind']
    readonly payerId?: Id | undefined
    readonly payerName?: string | undefined
  }
}

/**
 * Who pays: as named, otherwise the payer of the bills where they have only one. Where they have several, the
 * record has only the first one's name.
 */
export function resolvePayer(bills: readonly PayableRow[], named: Payer): Payer {
  if (named.name || named.id) return named
  const [firstPayer, ...otherPayers] = [
    ...new Map(bills.map(({ row }) => [`${row.payerKind}/${row.payerId}/${row.payerName}`, row])).values(),
  ]
  return firstPayer && !otherPayers.length
    ? { kind: firstPayer.payerKind, id: firstPayer.payerId, name: firstPayer.payerName }
    : { name: firstPayer?.payerName }
}
