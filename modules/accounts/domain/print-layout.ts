import { defined } from '#kit/domain/defined.ts'
import type { DocType, PrintPart } from './print-settings.ts'

/** The place of a part: above the table, as a column, under it; the rest has a place of its own. */
export interface PrintLayout {
  readonly facts: readonly PrintPart[]
  readonly columns: readonly PrintPart[]
  readonly lines: readonly PrintPart[]
  readonly rest: readonly PrintPart[]
}

export const printZones = ['facts', 'columns', 'lines', 'rest'] as const
export type PrintZone = (typeof printZones)[number]

const signatureParts = ['signature', 'remark', 'printTime', 'logo'] as const
/** What goes to a payer says whom to ask. */
const payerSheetParts = ['signature', 'remark', 'contact', 'printTime', 'logo'] as const
const noParts: readonly PrintPart[] = []

/** PRINT-2: what each kind knows how to show, in the shipped order. */
export const layoutByDocType: Readonly<Record<DocType, PrintLayout>> = {
  receipt: {
    facts: ['no', 'date', 'payer', 'room'],
    columns: ['item', 'source', 'period', 'principal', 'lateFee', 'amount'],
    lines: ['capitals', 'method', 'discount', 'operator'],
    rest: payerSheetParts,
  },
  prestore: {
    facts: ['no', 'date', 'payer', 'room'],
    columns: ['item', 'amount', 'gift', 'after'],
    lines: ['capitals', 'method', 'operator'],
    rest: payerSheetParts,
  },
  bill: {
    facts: ['no', 'date', 'phone', 'payer', 'room'],
    columns: ['item', 'period', 'basis', 'principal', 'lateFee', 'discount', 'amount'],
    lines: ['capitals', 'due', 'operator'],
    rest: payerSheetParts,
  },
  demand: {
    facts: ['no', 'date', 'phone', 'payer', 'room'],
    columns: ['item', 'period', 'basis', 'principal', 'lateFee', 'amount'],
    lines: ['capitals', 'due', 'operator'],
    rest: payerSheetParts,
  },
  deposit: {
    facts: ['no', 'date', 'payer', 'room'],
    columns: ['item', 'amount', 'deducted', 'back', 'after'],
    lines: ['capitals', 'method', 'operator'],
    rest: payerSheetParts,
  },
  refund: {
    facts: ['no', 'date', 'payer', 'room'],
    columns: ['item', 'source', 'period', 'principal', 'lateFee', 'amount'],
    lines: ['capitals', 'method', 'operator'],
    rest: payerSheetParts,
  },
  visitor: {
    facts: ['no', 'date', 'room', 'phone'],
    columns: noParts,
    lines: ['operator'],
    rest: signatureParts,
  },
  workOrder: {
    facts: ['no', 'date', 'room', 'phone'],
    columns: noParts,
    lines: ['operator'],
    rest: signatureParts,
  },
  purchase: {
    facts: ['no', 'date'],
    columns: noParts,
    lines: ['capitals', 'operator'],
    rest: signatureParts,
  },
  invoices: {
    facts: ['no', 'date'],
    columns: ['payer', 'room'],
    lines: ['capitals', 'operator'],
    rest: ['remark', 'printTime', 'logo'],
  },
  handover: {
    facts: ['no', 'operator', 'date', 'period'],
    columns: ['method'],
    lines: ['capitals'],
    rest: signatureParts,
  },
}

/**
 * Puts the parts that stand into the order that was chosen; what has no part keeps its place. `[a, 2, b]` by
 * b, a is `[b, 2, a]`.
 */
export function arrangeByParts<T extends { readonly part?: PrintPart }>(
  all: readonly T[],
  parts: readonly PrintPart[],
): T[] {
  const shown = all.filter(x => x.part === undefined || parts.includes(x.part))
  const chosen = shown
    .filter(x => x.part !== undefined)
    .toSorted((a, b) => parts.indexOf(defined(a.part)) - parts.indexOf(defined(b.part)))
  return shown.map(x => (x.part === undefined ? x : defined(chosen.shift())))
}

/** One step up or down among its neighbours of one zone, shown or not; the others stay. */
export function movePart(
  order: readonly PrintPart[],
  zone: readonly PrintPart[],
  part: PrintPart,
  by: 1 | -1,
): PrintPart[] {
  const ordered = order.filter(x => zone.includes(x))
  const at = ordered.indexOf(part)
  const to = at + by
  if (at < 0 || to < 0 || to >= ordered.length) return [...order]
  ;[ordered[at], ordered[to]] = [defined(ordered[to]), defined(ordered[at])]
  return order.map(x => (zone.includes(x) ? defined(ordered.shift()) : x))
}

/** Everything a kind knows, the chosen ones first in their order. */
export const orderParts = (docType: DocType, parts: readonly PrintPart[]): PrintPart[] =>
  printZones.flatMap(z => {
    const all = layoutByDocType[docType][z]
    const on = parts.filter(p => all.includes(p))
    return [...on, ...all.filter(p => !on.includes(p))]
  })
