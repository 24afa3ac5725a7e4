import { Select } from 'antd'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { LinkCards } from '#kit/web/link-cards.tsx'
import { useCall } from '#kit/web/query.ts'
import { confirmAndSend, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { NewPasswordInput } from '#modules/accounts/web/public.new-password.tsx'
import {
  merchantAccounts,
  resetMerchantPassword,
  setMerchantAccountState,
  type MerchantAccount,
} from '../contract/account.ts'
import { merchantStaffs, type Merchant } from '../contract/merchant.ts'
import { menu } from '../module.ts'
import './merchants.css'
import { signInPathOf } from './paths.ts'

/** Who works in the shop that the form is about. */
function UserControl(props: ControlProps) {
  const merchantId = String(props.formValues.merchantId)
  const found = useCall(merchantStaffs.list, { merchantId: [merchantId], state: ['on'], size: 200 })
  return (
    <Select
      {...ariaProps(props)}
      allowClear={allowClear}
      loading={found.isPending}
      disabled={props.disabled}
      className="merchant-user"
      placeholder="商户本身"
      value={props.value}
      options={found.data?.rows.map(({ id, name, mobile }) => ({
        value: id,
        label: [name, mobile].filter(Boolean).join(' '),
      }))}
      onChange={props.onChange}
      onBlur={props.onBlur}
    />
  )
}

const ResetDialog = ({
  of,
  onClose,
}: {
  readonly of: readonly MerchantAccount[]
  readonly onClose: () => void
}) => {
  const [account] = of
  if (!account) return null
  return (
    <EditDialog
      shape={resetMerchantPassword.input}
      draftKey={undefined}
      title={`重置「${account.loginName}」的密码`}
      submitLabel="重置密码"
      initial={{ id: account.id }}
      groups={[{ keys: [{ key: 'password', control: NewPasswordInput }] }]}
      save={v => sendAndInvalidate(resetMerchantPassword, { ...v, id: account.id }, { quiet: true })}
      onClose={onClose}
      onDone={() => {
        onClose()
        toast.success(`已重置，请把新密码告诉「${account.staffName ?? '商户'}」，登录后须自行修改`)
      }}
    />
  )
}

const setState = ({ id, loginName, state }: MerchantAccount): Promise<boolean> => {
  const label = state === 'on' ? '停用' : '启用'
  return confirmAndSend(setMerchantAccountState, {
    actionLabel: label,
    okLabel: label,
    unit: '个账号',
    title: `${label}「${loginName}」`,
    consequences: state === 'on' ? ['立即退出登录；以后可以再启用'] : ['启用后凭原密码登录'],
    reason: { presets: state === 'on' ? ['合同到期', '手机丢失', '人员离开'] : ['恢复使用'] },
    input: { id, state: state === 'on' ? 'off' : 'on' },
    doneText: `已${label}「${loginName}」`,
  })
}

const { edit } = menu.account.permissions

const { model } = crudPages(merchantAccounts, {
  unit: '个登录账号',
  deletion: {
    consequences: ['立即退出登录，不能再登录；已发放的停车券不受影响'],
    reasons: ['已离开该商户', '不再使用', '录入有误'],
  },
  columns: [
    { key: 'loginName', identity: true },
    { key: 'staffName', title: '使用人', render: ({ staffName }) => staffName ?? '商户本身' },
    { key: 'signInTime', width: 150 },
    { key: 'mustChange', hidePriority: 1 },
    'state',
  ],
  actions: [
    { label: '重置密码', needs: edit, dialog: ResetDialog },
    { label: '停用', needs: edit, danger: true, isOffered: ({ state }) => state === 'on', run: setState },
    { label: '启用', needs: edit, isOffered: ({ state }) => state === 'off', run: setState },
  ],
  form: {
    groups: [
      {
        keys: [
          { key: 'staffId', control: UserControl },
          'loginName',
          { key: 'password', control: NewPasswordInput, help: '请告知本人，首次登录须修改' },
        ],
      },
    ],
    presentation: 'dialog',
    savedText: ({ loginName }) => `已开通「${loginName}」，请把登录地址与初始密码告诉商户`,
  },
  list: {
    embedded: true,
    settingsKey: 'merchants/accounts',
    filters: ['state'],
    barFilters: [],
  },
  drawer: false,
})

/** Where the phones of all merchants of this company sign in. */
function SignInAddress() {
  const ownerId = useSession(s => s.signed?.manager.ownerId)
  return ownerId === undefined ? null : (
    <div className="merchant-entrance">
      <LinkCards
        links={[{ placeName: '商户登录', url: signInPathOf(ownerId) }]}
        linkName="地址"
        copiedText="已复制登录地址，可发给商户"
      />
    </div>
  )
}

/** 登录账号 of a merchant: its own, and those of who works there. */
export const MerchantAccountList = ({ of }: { readonly of: Merchant }) => (
  <>
    <SignInAddress />
    <CrudList
      model={model}
      canAdd={of.state !== 'ended'}
      initial={{
        merchantId: of.id,
        projectCode: of.projectCode,
        loginName: of.loginAccount ?? of.merchantNo,
      }}
      list={{ fixedFilter: { merchantId: [String(of.id)], projectCode: of.projectCode } }}
    />
  </>
)
