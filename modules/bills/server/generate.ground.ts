import { sql, type Tx } from '#kit/server/db.ts'
import { wholeDomain, type Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { feeFormula } from '#modules/fees/contract/formula.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { feeStandard, standardVersion, type FeeStandard } from '#modules/fees/contract/standard.ts'

export const scopeOf = (ownerId: number): Scope => ({ ownerId, operatorId: 1, name: '测试', owner: true, permissions: new Set(), domain: wholeDomain, privacy: true, projectCode: '', ip: '', requestId: 'test' })
let n = 0
export interface Fee { readonly itemId: number; readonly standardId: number }
export interface Wish {
  readonly item?: Partial<FeeItem>; readonly formula?: { readonly formulaType: string; readonly expression?: string }; readonly standard?: Partial<FeeStandard>
  readonly price?: string; readonly prices?: readonly { readonly effectiveDate: string; readonly endDate?: string; readonly price: string }[]
}
/** A fee item with a formula and a standard of an estate: area × price by the month unless said otherwise. */
export async function layFee(tx: Tx, who: Scope, project: string, w: Wish = {}): Promise<Fee> {
  n++
  const [itemId] = await insertAll(tx, feeItem, who, [{ code: `G${n}`, name: `测试项目${n}`, feeType: 'cyclic', category: 'property', incomeKind: 'own', inRate: true, billMode: 'auto', scene: 'roomShop', allowMulti: false, allowOnline: true, autoDeduct: true, principalSettles: false, lateFeeSwitch: false, state: 'on', ...w.item }])
  const [formulaId] = await insertAll(tx, feeFormula, who, [{ name: `测试公式${n}`, isSystem: false, state: 'on', formulaType: 'area', ...w.formula }])
  const [standardId] = await insertAll(tx, feeStandard, who, [{
    projectCode: project, code: `G${n}`, name: `测试标准${n}`, feeItemId: itemId, formulaId, areaKind: 'build', cycleType: 'natural', cycleMonths: 1, alignYear: true, chargeMode: 'ahead', startRule: 'given', prorateMode: 'actual', advanceDays: 0, delayDays: 0,
    dueBase: 'begin', dueDays: 30, dueSkipHoliday: false, roundType: 'halfUp', roundUnit: 'fen', tiersStretch: true, state: 'on', ...w.standard,
  }])
  await insertAll(tx, standardVersion, who, (w.prices ?? [{ effectiveDate: '2020-01-01', price: w.price ?? '2.85' }]).map(p => ({ standardId, extraProrate: false, ...p })))
  return { itemId: itemId!, standardId: standardId! }
}
export interface Place { readonly code: string; readonly path: string; readonly buildCode: string }
export const places = (tx: Pick<Tx, 'rows'>, owner: number, project: string): Promise<Place[]> => tx.rows<Place>(sql`select code, path, build_code from room where owner_id = ${owner} and project_code = ${project} and delete_tag = 0 order by sort_key`)
/** Rooms charged by a standard from a day on. */
export const bind = (tx: Tx, who: Scope, project: string, fee: Fee, rooms: readonly Place[], more: object = {}): Promise<number[]> =>
  insertAll(tx, feeRelation, who, rooms.map(r => ({ projectCode: project, sourceType: 'room', sourceCode: r.code, sourceName: r.path, buildCode: r.buildCode, feeItemId: fee.itemId, standardId: fee.standardId, beginDate: '2026-09-01', multi: false, state: 'charging', ...more })))
