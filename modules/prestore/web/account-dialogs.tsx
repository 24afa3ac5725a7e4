import { Button, Modal, Segmented } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { keyRef, labelOf, ref, type Field } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { sumFen } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { MethodControl, TendersControl } from '#modules/payments/web/public.ts'
import { deductRooms, refundAccount, topUp, type PrestoreAccount } from '../contract/account.ts'
import { transferAccount } from '../contract/transfer.ts'
import { ownerKind } from '../contract/choices.ts'
import './prestore.css'

type OwnerKind = 'room' | 'resident' | 'company'
const ownerKinds: readonly OwnerKind[] = ['room', 'resident', 'company']

const ownerFields: Readonly<Record<OwnerKind, Field>> = {
  room: keyRef('房屋', 'room', { required: true }) as Field,
  resident: ref('客户', 'resident', { required: true }) as Field,
  company: ref('公司', 'company', { required: true }) as Field,
}

const itemField = ref('限定项目', 'feeItem') as Field
const targetAccountField = ref('转入账户', 'asset', { required: true }) as Field

const KindControl: Control = p => (
  <Segmented
    aria-label="账户主体"
    id={p.id}
    value={(p.value as OwnerKind | undefined) ?? 'room'}
    disabled={p.disabled}
    options={ownerKinds.map(k => ({ value: k, label: labelOf(ownerKind, k) }))}
    onChange={p.onChange}
  />
)

const OwnerControl: Control = p => {
  const kind = (p.formValues.ownerKind as OwnerKind | undefined) ?? 'room'
  return (
    <RefSelect
      key={kind}
      field={ownerFields[kind]}
      id={p.id}
      value={p.value}
      onChange={v => p.onChange(v === undefined || v === null ? undefined : String(v))}
      onBlur={p.onBlur}
      formValues={p.formValues}
      disabled={p.disabled}
      status={p.invalid ? 'error' : undefined}
      describedBy={p.describedBy}
    />
  )
}

const ItemControl: Control = p => (
  <RefSelect
    field={itemField}
    id={p.id}
    value={p.value ? p.value : undefined}
    onChange={v => p.onChange(v ? Number(v) : 0)}
    onBlur={p.onBlur}
    formValues={p.formValues}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

const AccountControl: Control = p => (
  <RefSelect
    field={targetAccountField}
    id={p.id}
    value={p.value}
    onChange={v => p.onChange(v ? Number(v) : undefined)}
    onBlur={p.onBlur}
    formValues={p.formValues}
    disabled={p.disabled}
    status={p.invalid ? 'error' : undefined}
    describedBy={p.describedBy}
  />
)

const commonFields = [
  { key: 'methods', control: TendersControl, wide: true, label: '收款' },
  { key: 'gift', help: '赠送金额不退，先用本金' },
  { key: 'payerName', help: '不填为登记的缴费人' },
  { key: 'remark', wide: true },
]

const newAccountGroups = [
  {
    keys: [
      { key: 'ownerKind', control: KindControl, wide: true, deriveValues: () => ({ ownerCode: undefined }) },
      { key: 'ownerCode', label: '选择主体', control: OwnerControl, wide: true },
      { key: 'feeItemId', control: ItemControl, help: '不选为通用，可抵任何费用' },
      ...commonFields,
    ],
  },
]

const knownAccountGroups = [{ keys: commonFields }]

const knownOwnerGroups = [
  {
    keys: [
      commonFields[0]!,
      { key: 'feeItemId', control: ItemControl, help: '不选为通用，可抵任何费用' },
      ...commonFields.slice(1),
    ],
  },
]

export interface TopUpTarget {
  readonly projectCode: string
  readonly ownerKind: PrestoreAccount['ownerKind']
  readonly ownerCode: string
  readonly ownerName: string
  readonly feeItemId?: number
  readonly feeItemName?: string | undefined
}

/** 充值 (ACC-10): for a chosen object, or for a known account; ends with its receipt. */
export function TopUpDialog({
  of,
  chooses,
  payer,
  also,
  onClose,
  onDone,
}: {
  /** Another way to the same end, from what is said so far. */ readonly also?: (said: {
    readonly feeItemId: number
    readonly amount: number
    readonly gift?: number
    readonly payerName?: string
  }) => ReactNode
  readonly of?: TopUpTarget | undefined
  /** Whose is known, for which fee is asked. */ readonly chooses?: boolean
  readonly payer?: string | undefined
  readonly onClose: () => void
  readonly onDone: (recordId: number) => void
}) {
  const go = useSend(topUp, { quiet: true })
  const initial = useMemo(
    () => ({
      ownerKind: 'room' as const,
      feeItemId: 0,
      methods: [{ method: 'cash' as const }] as never,
      ...(of
        ? {
            projectCode: of.projectCode,
            ownerKind: of.ownerKind,
            ownerCode: of.ownerCode,
            feeItemId: of.feeItemId ?? 0,
          }
        : {}),
      ...(payer ? { payerName: payer } : {}),
    }),
    [of, payer],
  )
  return (
    <EditDialog
      shape={topUp.input}
      title={
        of
          ? `预存充值「${of.ownerName}」${chooses ? '' : of.feeItemId ? (of.feeItemName ?? '') : '通用'}`
          : '预存充值'
      }
      groups={of ? (chooses ? knownOwnerGroups : knownAccountGroups) : newAccountGroups}
      initial={initial}
      submitLabel="充值"
      presentation="dialog"
      save={v =>
        go.mutateAsync({
          ...v,
          ...(of
            ? {
                projectCode: of.projectCode,
                ownerKind: of.ownerKind,
                ownerCode: of.ownerCode,
                ...(chooses ? {} : { feeItemId: of.feeItemId ?? 0 }),
              }
            : {}),
        })
      }
      onClose={onClose}
      onDone={a => {
        const done = a as NonNullable<typeof topUp.output.T>
        toast.success(
          `已充值，余额 ${displayYuan(done.balance, true)}${done.giftBalance ? `，赠送余额 ${displayYuan(done.giftBalance, true)}` : ''}，收据 ${done.receiptNo}`,
        )
        onDone(done.recordId)
      }}
      below={v => {
        const n = sumFen((v.methods ?? []).map(m => (typeof m.amount === 'number' ? m.amount : 0)))
        return (
          <>
            {n ? (
              <p className="prestore-sum">
                充值 <b className="figure">{displayYuan(n, true)}</b>
                {typeof v.gift === 'number' && v.gift > 0 && (
                  <>
                    ，另赠送 <b className="figure">{displayYuan(v.gift, true)}</b>
                  </>
                )}
              </p>
            ) : null}
            {also?.({
              feeItemId: v.feeItemId ?? 0,
              amount: n,
              ...(typeof v.gift === 'number' ? { gift: v.gift } : {}),
              ...(v.payerName ? { payerName: v.payerName } : {}),
            })}
          </>
        )
      }}
    />
  )
}

const refundGroups = [
  { keys: ['amount', { key: 'method', label: '退款方式', control: MethodControl }, 'reason'] },
]

/** 预存退款: the own balance alone. */
export function RefundDialog({
  of: a,
  onClose,
}: {
  readonly of: PrestoreAccount
  readonly onClose: () => void
}) {
  const go = useSend(refundAccount, { quiet: true })
  const initial = useMemo(() => ({ id: a.id, amount: a.balance, method: 'cash' as const }), [a])
  return (
    <EditDialog
      shape={refundAccount.input}
      title={`预存退款「${a.ownerName}」（可退 ${displayYuan(a.balance, true)}）`}
      groups={refundGroups}
      initial={initial}
      submitLabel="退款"
      presentation="dialog"
      rules={v => {
        const n = (v as { amount?: number }).amount
        return n !== undefined && n > a.balance
          ? { amount: `最多可退 ${displayYuan(a.balance)} 元，赠送余额不退` }
          : undefined
      }}
      save={v => go.mutateAsync({ ...v, id: a.id })}
      onClose={onClose}
      onDone={x => {
        toastResult(x, '已退款，记在今天的收款记录里')
        onClose()
      }}
    />
  )
}

const transferGroups = [{ keys: [{ key: 'toId', control: AccountControl }, 'amount', 'reason'] }]

/** 转账 (ACC-11): at once between accounts of one payer, after another person's word between payers. */
export function TransferDialog({
  of: a,
  onClose,
}: {
  readonly of: PrestoreAccount
  readonly onClose: () => void
}) {
  const go = useSend(transferAccount, { quiet: true })
  const initial = useMemo(() => ({ id: a.id, projectCode: a.projectCode }), [a])
  return (
    <EditDialog
      shape={transferAccount.input}
      title={`从「${a.ownerName}」${a.feeItemName ?? ''}转出（余额 ${displayYuan(a.balance, true)}）`}
      groups={transferGroups}
      initial={initial as never}
      submitLabel="转账"
      presentation="dialog"
      rules={v => {
        const n = (v as { amount?: number }).amount
        return n !== undefined && n > a.balance
          ? { amount: `最多可转 ${displayYuan(a.balance)} 元，赠送余额不能转` }
          : undefined
      }}
      save={v => go.mutateAsync({ ...v, id: a.id })}
      onClose={onClose}
      below={() => <p className="wizard-hint">两个账户的缴费人不同时提交转账单，由其他人审核后到账</p>}
      onDone={x => {
        const no = (x as { requestNo?: string }).requestNo
        toast.success(no ? `缴费人不同，已提交转账单 ${no}，等其他人审核` : '已转账')
        onClose()
      }}
    />
  )
}

export type DeductionResult = NonNullable<typeof deductRooms.output.T>
type DeductionRow = DeductionResult['rows'][number]

const listColumns = buildColumns<DeductionRow>(
  { form: 'many', fields: nestedFieldsOf(deductRooms.output.fields.rows!) } as never,
  [
    { key: 'name', identity: false, width: 120, sortKey: undefined },
    { key: 'deducted', sortKey: undefined },
    { key: 'left', sortKey: undefined },
    { key: 'reason', width: 180, grow: 1, sortKey: undefined },
  ],
).map(c => ({ ...c, identity: false }))

/** What a deduction did, room by room (ACC-6). */
export function DeductionResultDialog({
  of: d,
  onClose,
}: {
  readonly of: DeductionResult
  readonly onClose: () => void
}) {
  return (
    <Modal
      open
      title="冲抵结果"
      width={640}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          知道了
        </Button>
      }
    >
      <p role="status">
        {d.rooms
          ? `${formatCount(d.rooms)} 间房冲抵 ${formatCount(d.bills)} 张账单，合计 ${displayYuan(d.amount, true)}`
          : '没有可以冲抵的账单'}
      </p>
      {d.rows.length > 0 && (
        <div className="prestore-result">
          <DataTable rows={d.rows} columns={listColumns} keyOf={r => r.code} label="冲抵明细" dense />
        </div>
      )}
    </Modal>
  )
}
