import { useMemo } from 'react'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  deleteMerchantStaff,
  listMerchantStaff,
  saveMerchantStaff,
  type Merchant,
  type MerchantStaff,
} from '../contract/merchant.ts'

const remove = withReason<MerchantStaff>(deleteMerchantStaff, {
  what: '名商家员工',
  name: s => s.name,
  presets: ['已离开该商家', '录入有误'],
})

const shown = columns(listMerchantStaff.output, [
  { key: 'name', identity: true },
  { key: 'mobile', fit: true },
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
    what: '商家员工',
    add: saveMerchantStaff,
    edit: saveMerchantStaff,
    rowIsWhole: true,
    name: (s: MerchantStaff) => s.name,
    groups,
    initial,
    as: 'dialog',
  })
  return (
    <>
      <ListPage
        embedded
        list={listMerchantStaff}
        what="商家员工"
        name="merchants/staff"
        columns={shown}
        fixed={fixed}
        filters={['roleType', 'state']}
        bar={['roleType', 'state']}
        primary={of.state === 'ended' ? false : form.add}
        row={s => [form.edit(s), remove.row(s)]}
        batch={[remove.batch]}
        dim={s => s.state === 'off'}
      />
      {form.dialog}
    </>
  )
}
