import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { overlaps, type Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { billSource } from '../contract/choices.ts'

/** An effective bill as the rules for redundant bills and imports need it. */
export interface EffectiveBill extends Period {
  readonly id: Id
  readonly sourceType: string
  readonly sourceCode: string
  readonly itemId: Id
  readonly amount: Fen
  readonly source: ChoiceOf<typeof billSource>
  readonly paid: Fen
  readonly refund: 'none' | 'refunding' | 'refunded'
  readonly state: 'pending' | 'normal'
  readonly created: string
}

const isSameCharge = (a: EffectiveBill, b: EffectiveBill): boolean =>
  overlaps(a, b) ||
  (monthOf(a.begin) === monthOf(b.begin) &&
    a.amount === b.amount &&
    (a.source === 'imported' || b.source === 'imported'))

export interface RedundantGroup {
  readonly bills: readonly EffectiveBill[]
  /** The bills to abolish: unpaid ones, newest first; at least one is kept. */
  readonly abolish: readonly Id[]
}

/**
 * Groups of two or more effective bills that charge the same thing twice (BILL-6). Linear except within
 * one object and item.
 */
export function findRedundantGroups(effectiveBills: readonly EffectiveBill[]): RedundantGroup[] {
  const places = new Map<string, EffectiveBill[]>()
  for (const bill of effectiveBills) {
    const key = `${bill.sourceType}\n${bill.sourceCode}\n${bill.itemId}`
    const list = places.get(key)
    if (list) {
      list.push(bill)
    } else {
      places.set(key, [bill])
    }
  }
  return [...places.values()]
    .filter(l => l.length > 1)
    .flatMap(list => {
      const groups: EffectiveBill[][] = []
      for (const bill of list) {
        const touching = groups.filter(g => g.some(x => isSameCharge(x, bill)))
        for (const g of touching) {
          groups.splice(groups.indexOf(g), 1)
        }
        groups.push([...touching.flat(), bill])
      }
      return groups
        .filter(g => g.length > 1)
        .map(bills => {
          const byAge = [...bills].toSorted((a, b) =>
            a.created < b.created ? -1 : a.created > b.created ? 1 : a.id - b.id,
          )
          const keptBill = byAge.find(b => b.paid > 0) ?? defined(byAge[0])
          return {
            bills: byAge,
            abolish: byAge
              .filter(b => b !== keptBill && b.paid === 0)
              .map(b => b.id)
              .toReversed(),
          }
        })
    })
}

export interface ImportFinding {
  readonly level: 'error' | 'warning'
  readonly message: string
  readonly billId: Id
}

/**
 * Why a bill cannot be imported (BILL-8). `existing`: effective bills of the object; `repeats`:
 * bills of the item may overlap (GEN-2).
 */
export function findImportFindings(
  imported: Period & { readonly itemId: Id; readonly repeats?: boolean },
  existing: readonly EffectiveBill[],
): ImportFinding[] {
  return existing.flatMap((bill): ImportFinding[] => {
    const at = `（${bill.begin} 至 ${bill.end}）`
    const finding = (level: ImportFinding['level'], message: string): ImportFinding[] => [
      { level, message: message + at, billId: bill.id },
    ]
    const isSameItem = bill.itemId === imported.itemId
    if (!overlaps(bill, imported))
      return isSameItem && monthOf(bill.begin) === monthOf(imported.begin)
        ? finding('warning', '同月已有该项目的账单，请确认不是重复')
        : []
    if (!isSameItem) return []
    if (imported.repeats) return finding('warning', '同账期已有该项目的账单，请确认不是重复')
    if (bill.refund === 'refunded' && bill.paid === 0)
      return finding('warning', '同账期账单已退款，导入后将重新欠费')
    if (bill.refund === 'refunding') return finding('error', '同账期账单正在退款，请等退款完成')
    if (bill.paid > 0) return finding('error', '同账期账单已缴费，不能重复导入')
    return bill.state === 'pending'
      ? finding('warning', '同账期有待审核账单，请先审核或作废其一')
      : finding('error', '同账期已有未缴账单，请先作废再导入')
  })
}

/** Why a bill cannot be reissued (BILL-9). `liveBills`: effective bills of its object and item. */
export const reissueRefusal = (
  period: Period,
  effectiveBills: readonly EffectiveBill[],
  replaced: number,
): string | undefined =>
  effectiveBills.some(b => b.id !== replaced && overlaps(b, period))
    ? '本期已有有效账单，不能重开；请先作废该账单'
    : undefined
