import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { feeItem } from '#modules/fees/contract/item.ts'

/** What fees of stays that are paid on the telephone are booked as. */
export async function seedParkingIncome(tx: Tx, scope: Scope): Promise<void> {
  await insert(tx, feeItem, scope, {
    code: 'LTF',
    name: '临时停车费',
    feeType: 'parking',
    category: 'parking',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'area',
    allowMulti: true,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
    taxRate: '0.09',
    sort: 46,
    state: 'on',
  })
}
