import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import {
  bindManagerIdentity,
  listManagerIdentities,
  managerIdentity,
  unbindManagerIdentities,
  type ManagerIdentity,
} from '../contract/manager-identity.ts'

const columns = buildColumns(listManagerIdentities.output, [
  { key: 'managerName', width: 110, identity: true },
  { key: 'loginCode', width: 130 },
  { key: 'subject', grow: 1 },
  { key: 'displayName', hidePriority: 2 },
  { key: 'issuer', hiddenByDefault: true },
  'boundBy',
  { key: 'createTime', title: '绑定时间', hidePriority: 3 },
  { key: 'lastUseTime', hidePriority: 1 },
])

const unbindAction = createReasonAction(unbindManagerIdentities, {
  label: '解除绑定',
  unit: '个绑定',
  nameOf: (row: ManagerIdentity) => row.managerName ?? row.subject,
  consequences: ['不能再用该身份登录；账号与密码不受影响。'],
  reasonPresets: ['人员变动', '身份平台换号'],
})

/** 身份绑定: whose identities at the provider sign in as which accounts. */
export default function IdentityListPage() {
  const form = useEdit({
    itemName: '身份绑定',
    add: bindManagerIdentity,
    nameOf: (row: ManagerIdentity) => row.subject,
    groups: [{ keys: ['managerId', 'subject'] }],
    presentation: 'dialog',
  })
  return (
    <>
      <ListPage
        list={listManagerIdentities}
        itemName="身份绑定"
        columns={columns}
        barFilters={['boundBy']}
        keywordPlaceholder="身份标识、平台中的名称"
        primaryAction={form.addAction && { ...form.addAction, label: '绑定身份' }}
        rowActions={row => [unbindAction.row(row)]}
        batchActions={[unbindAction.batch]}
        drawer={{ title: row => row.managerName ?? row.subject, historyEntity: managerIdentity.name }}
      />
      {form.dialog}
    </>
  )
}
