import { createRefSource } from '#kit/web/refs.ts'
import { pickSuppliers } from '../../contract/supplier.ts'

/** Suppliers by name or number; a disabled one is shown last and cannot be chosen (STK-7). */
export default createRefSource(pickSuppliers, {
  value: row => row.id,
  label: row => row.supplierName,
  note: row => row.category,
  disabledReason: row => (row.state === 'on' ? undefined : '已停用'),
  inputForValues: ids => ({ ids: [...ids] }),
})
