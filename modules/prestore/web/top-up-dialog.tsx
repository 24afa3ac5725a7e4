import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Segmented } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { keyRef, labelOf, ref, type Field } from '#kit/contract/field.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { TendersControl } from '#modules/payments/web/public.tenders.ts'
import { topUp, type PrestoreAccount } from '../contract/account.ts'
import { ownerKind } from '../contract/choices.ts'
import './prestore.css'

type OwnerKind = 'room' | 'resident' | 'company' | 'car'
const ownerKinds: readonly OwnerKind[] = ['room', 'resident', 'company', 'car']

const ownerFields: Readonly<Record<OwnerKind, Field>> = {
  room: keyRef('房屋', 'room', { required: true }) as Field,
  resident: ref('客户', 'resident', { required: true }) as Field,
  company: ref('企业', 'company', { required: true }) as Field,
  car: ref('车辆', 'car', { required: true }) as Field,
}

const itemField = ref('限定项目', 'feeItem') as Field

const readOwnerKind = (v: unknown): OwnerKind | undefined => ownerKinds.find(k => k === v)

const KindControl: Control = props => (
  <Segmented
    aria-label="账户主体"
    id={props.id}
    value={readOwnerKind(props.value) ?? 'room'}
    disabled={props.disabled}
    options={ownerKinds.map(k => ({ value: k, label: labelOf(ownerKind, k) }))}
    onChange={props.onChange}
  />
)

const OwnerControl: Control = props => {
  const kind = readOwnerKind(props.formValues.ownerKind) ?? 'room'
  return (
    <RefSelect
      key={kind}
      field={ownerFields[kind]}
      id={props.id}
      value={props.value}
      onChange={v => props.onChange(v === undefined || v === null ? undefined : String(v))}
      onBlur={props.onBlur}
      formValues={props.formValues}
      disabled={props.disabled}
      status={props.invalid ? 'error' : undefined}
      describedBy={props.describedBy}
    />
  )
}

const ItemControl: Control = props => (
  <RefSelect
    field={itemField}
    id={props.id}
    value={props.value ? props.value : undefined}
    onChange={v => props.onChange(v ? Number(v) : 0)}
    onBlur={props.onBlur}
    formValues={props.formValues}
    disabled={props.disabled}
    status={props.invalid ? 'error' : undefined}
    describedBy={props.describedBy}
  />
)

const commonFields = [
  { key: 'methods', control: TendersControl, label: '收款' },
  { key: 'gift', help: '赠送金额不退，先用本金' },
  { key: 'payerName', help: '不填为登记的缴费人' },
  'remark',
]

const newAccountGroups = [
  {
    keys: [
      { key: 'ownerKind', control: KindControl, wide: true, deriveValues: () => ({ ownerCode: undefined }) },
      { key: 'ownerCode', label: '选择主体', control: OwnerControl },
      { key: 'feeItemId', control: ItemControl, help: '不选为通用，可抵任何费用' },
      ...commonFields,
    ],
  },
]

const knownAccountGroups = [{ keys: commonFields }]

const knownOwnerGroups = [
  {
    keys: [
      defined(commonFields[0]),
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
  readonly feeItemId?: Id
  readonly feeItemName?: string | undefined
}

export interface TopUpDraft {
  readonly feeItemId: Id
  readonly amount: Fen
  readonly gift?: Fen
  readonly payerName?: string
}

interface TopUpDialogProps {
  /** A known owner and account; absent: the cashier chooses the owner. */
  readonly of?: TopUpTarget | undefined
  /** The owner is known, the fee item is chosen. */
  readonly choosesItem?: boolean
  readonly payer?: string | undefined
  /** Another way to top up, offered below the form from what is entered so far. */
  readonly renderAlternative?: (draft: TopUpDraft) => ReactNode
  readonly onClose: () => void
  readonly onDone: (recordId: Id) => void
}

type TopUpResult = NonNullable<typeof topUp.output.T>

const describeTopUp = (result: TopUpResult): string => {
  const gift = result.giftBalance ? `，赠送余额 ${displayYuanWithSymbol(result.giftBalance)}` : ''
  return `已充值，余额 ${displayYuanWithSymbol(result.balance)}${gift}，收据 ${result.receiptNo}`
}

const titleOf = (target: TopUpTarget | undefined, choosesItem: boolean | undefined): string => {
  if (!target) return '预存充值'
  const item = target.feeItemId ? (target.feeItemName ?? '') : '通用'
  return `预存充值「${target.ownerName}」${choosesItem ? '' : item}`
}

const groupsOf = (target: TopUpTarget | undefined, choosesItem: boolean | undefined) => {
  if (!target) return newAccountGroups
  return choosesItem ? knownOwnerGroups : knownAccountGroups
}

/** 充值 (ACC-10): for a chosen object, or for a known account; ends with its receipt. */
export function TopUpDialog({
  of: target,
  choosesItem,
  payer,
  renderAlternative,
  onClose,
  onDone,
}: TopUpDialogProps) {
  const send = useSend(topUp, { quiet: true })
  const prefilled = useMemo(
    () =>
      target
        ? { projectCode: target.projectCode, ownerKind: target.ownerKind, ownerCode: target.ownerCode }
        : {},
    [target],
  )
  const knownItem = target && !choosesItem ? { feeItemId: target.feeItemId ?? 0 } : {}
  const initial = useMemo(
    () => ({
      ownerKind: 'room' as const,
      feeItemId: target?.feeItemId ?? 0,
      methods: [{ method: 'cash' as const }],
      ...prefilled,
      ...(payer ? { payerName: payer } : {}),
    }),
    [prefilled, payer, target],
  )
  return (
    <EditDialog
      shape={topUp.input}
      draftKey={draftKeyOf(topUp, [prefilled, target?.feeItemId])}
      title={titleOf(target, choosesItem)}
      groups={groupsOf(target, choosesItem)}
      initial={initial}
      submitLabel="充值"
      presentation="dialog"
      save={values => send.mutateAsync({ ...values, ...prefilled, ...knownItem })}
      onClose={onClose}
      onDone={result => {
        toast.success(describeTopUp(result))
        onDone(result.recordId)
      }}
      below={values => {
        const amount = sumFen((values.methods ?? []).map(m => (typeof m.amount === 'number' ? m.amount : 0)))
        const gift = typeof values.gift === 'number' ? values.gift : undefined
        return (
          <>
            {amount > 0 && <TopUpSum amount={amount} gift={gift} />}
            {renderAlternative?.({
              feeItemId: values.feeItemId ?? 0,
              amount,
              ...(gift === undefined ? {} : { gift }),
              ...(values.payerName ? { payerName: values.payerName } : {}),
            })}
          </>
        )
      }}
    />
  )
}

function TopUpSum({ amount, gift }: { readonly amount: Fen; readonly gift: Fen | undefined }) {
  return (
    <p className="prestore-sum">
      充值 <b className="figure">{displayYuanWithSymbol(amount)}</b>
      {gift !== undefined && gift > 0 && (
        <>
          ，另赠送 <b className="figure">{displayYuanWithSymbol(gift)}</b>
        </>
      )}
    </p>
  )
}
