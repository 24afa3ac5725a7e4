import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { exportSuppliers, pickSuppliers, supplier, suppliers, type Supplier } from '../contract/supplier.ts'

// STK-7: a supplier with purchases cannot be deleted.
registerDependentRows(
  'supplier',
  { label: '采购', table: 'purchase', where: (s: Supplier) => sql`supplier_id = ${s.id}` },
  { label: '采购订单', table: 'purchase_order', where: (s: Supplier) => sql`supplier_id = ${s.id}` },
)

export const supplierServer = crudHandlers(suppliers, {
  codes: { supplierNo: 'GY' },
  searchText: { names: ['supplierName', 'contactName'], codes: ['supplierNo', 'phone'] },
  unique: {
    supplier_no_live: '已有此供应商编号',
    supplier_name_live: '已有同名供应商',
  },
  export: exportSuppliers,
  pickers: [pickSuppliers],
})

/** STK-7: nothing is bought from a disabled supplier. Locked, so that nobody disables it in between. */
export async function requireUsableSupplier(tx: Tx, scope: Scope, id: Id): Promise<Supplier> {
  const [found] = await findByIds(tx, supplier, scope, [id], { lock: true })
  if (!found) throw invalidField('SupplierID', '供应商不存在或已被删除，请重新选择')
  if (found.state === 'off') throw invalidField('SupplierID', `供应商「${found.supplierName}」已停用，请另选`)
  return found
}
