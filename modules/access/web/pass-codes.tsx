import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction, sendAndToast } from '#kit/web/record-actions.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { passCodeState } from '../contract/choices.ts'
import { listPassCodes, restorePassCodes, revokePassCodes, type PassCode } from '../contract/pass-code.ts'
import { menu } from '../module.ts'

const holderName = (row: PassCode): string =>
  row.staffName ? `${row.staffName}（员工）` : (row.userName ?? '')

const stateText = ({ invalidReason, state }: PassCode): string =>
  invalidReason ?? labelOf(passCodeState, state)

const PassCodeStatus = ({ row }: { readonly row: PassCode }) =>
  row.invalidReason === undefined ? (
    <ChoiceStatus choices={passCodeState} value={row.state} />
  ) : (
    <Status tone="off">{row.invalidReason}</Status>
  )

const columns = buildColumns(listPassCodes.output, [
  {
    key: 'userName',
    title: '人员',
    identity: true,
    width: 160,
    grow: 1,
    text: holderName,
    render: holderName,
  },
  'beginTime',
  'endDate',
  { key: 'state', width: 240, text: stateText, render: row => <PassCodeStatus row={row} /> },
  { key: 'endReason', width: 160, grow: 1, hidePriority: 1 },
])

const revoke = createReasonAction<PassCode>(revokePassCodes, {
  label: '停用',
  unit: '个通行码',
  nameOf: row => `${holderName(row)}的通行码`,
  reasonPresets: ['本人申请', '通行码外泄', '违反管理规定'],
  consequences: [
    '通行码从在线的门禁设备立即收回，离线的设备恢复连接后收回，之前仍可扫码开门',
    '恢复之前，本人不能出示通行码，也不能用手机开门',
  ],
  disabledReason: row => (row.state === 'valid' ? undefined : '通行码已停用'),
})

const restoreOf = (row: PassCode): Action => ({
  label: '恢复',
  needs: menu.passCode.permissions.edit,
  run: () =>
    void sendAndToast(
      restorePassCodes,
      { ids: [String(row.id)] },
      `已恢复，${holderName(row)}可重新出示通行码`,
    ),
})

/** 通行码: who has one, until when, and who gets none. The code itself is its owner's. */
export const PassCodes = () => (
  <ListPage
    embedded
    list={listPassCodes}
    itemName="通行码"
    columns={columns}
    keywordPlaceholder="姓名"
    filters={['userId', 'staffId', 'state', 'endDate']}
    barFilters={['userId', 'staffId', 'state']}
    settingsKey="access/pass-codes"
    rowActions={row => [row.state === 'revoked' ? restoreOf(row) : revoke.row(row)]}
    batchActions={[revoke.batch]}
  />
)
