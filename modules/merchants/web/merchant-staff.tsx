import { useMemo } from 'react'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  deleteMerchantStaff,
  listMerchantStaff,
  saveMerchantStaff,
  type Merchant,
  type MerchantStaff,
} from '../contract/merchant.ts'

const deleteAction = createReasonAction<MerchantStaff>(deleteMerchantStaff, {
  unit: '名商家员工',
  nameOf: s => s.name,
  reasonPresets: ['已离开该商家', '录入有误'],
})

const listColumns = buildColumns(listMerchantStaff.output, [
  { key: 'name', identity: true },
  { key: 'mobile', fitContent: true },
  'roleType',
  { key: 'createTime', title: '登记时间' },
  'state',
])

const groups = [{ keys: ['name', 'mobile', { key: 'roleType', wide: true }, { key: 'state', wide: true }] }]

/** Who works in a shop. */
export function MerchantStaffList({ of }: { readonly of: Merchant }) {
  const initial = useMemo(() => ({ merchantId: of.id, projectCode: of.projectCode }), [of.id])
  const fixed = useMemo(() => ({ merchantId: [String(of.id)], projectCode: of.projectCode }), [of.id])
  const form = useEdit({
    itemName: '商家员工',
    add: saveMerchantStaff,
    edit: saveMerchantStaff,
    isRowComplete: true,
    nameOf: (s: MerchantStaff) => s.name,
    groups,
    initial,
    presentation: 'dialog',
  })
  return (
    <>
      <ListPage
        embedded
        list={listMerchantStaff}
        itemName="商家员工"
        settingsKey="merchants/staff"
        columns={listColumns}
        fixedFilter={fixed}
        filters={['roleType', 'state']}
        barFilters={['roleType', 'state']}
        primaryAction={of.state === 'ended' ? false : form.addAction}
        rowActions={s => [form.editAction(s), deleteAction.row(s)]}
        batchActions={[deleteAction.batch]}
        isDimmed={s => s.state === 'off'}
      />
      {form.dialog}
    </>
  )
}
