import { AutoComplete, Select } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import type { FormField } from '#kit/web/form/form-fields.tsx'
import { invoiceKind, titleType } from '../contract/choices.ts'
import type { Title } from '../contract/title.ts'
import { titleFaults, type InvoiceKind } from '../domain/invoice.ts'

interface TitleValues {
  readonly kind?: InvoiceKind
  readonly titleType?: Title['titleType']
}

const isPersonal = (v: TitleValues): boolean => v.titleType !== 'company'

/** The name, typed or one of those this payer used before, which brings all the rest along. */
const titleControl = (used: readonly Title[]): Control =>
  function TitleControl({ value, onChange, onBlur, id, disabled, invalid, describedBy }) {
    return (
      <AutoComplete
        id={id}
        style={{ width: '100%' }}
        value={(value as string | undefined) ?? ''}
        disabled={disabled}
        onBlur={onBlur}
        status={invalid ? 'error' : ''}
        maxLength={80}
        aria-label="发票抬头"
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        options={used.map((t, i) => ({
          value: String(i),
          label: `${t.title}（${labelOf(titleType, t.titleType)}${t.taxNo ? ` ${t.taxNo}` : ''}）`,
        }))}
        onSelect={v => onChange(used[Number(v)])}
        onChange={v => {
          if (!(used[Number(v)] && /^\d+$/.test(String(v)))) {
            onChange(v)
          }
        }}
      />
    )
  }

const emptyTitle = {
  taxNo: undefined,
  addressPhone: undefined,
  bankAccount: undefined,
  email: undefined,
  mobile: undefined,
}

/** INV-4: who the invoice is for; a company has more to say than a person. */
export const titleFormFields = (used: readonly Title[]): readonly FormField[] => [
  { key: 'titleType' },
  {
    key: 'title',
    control: titleControl(used),
    wide: false,
    help: used.length ? '可选用过的抬头' : undefined,
    spreadValue: v => (typeof v === 'object' && v !== null ? { ...emptyTitle, ...v } : { title: v }),
  },
  { key: 'taxNo', isHidden: isPersonal, help: '15 到 20 位大写字母或数字，企业必填' },
  { key: 'addressPhone', isHidden: isPersonal, wide: true, help: '专用发票必填' },
  { key: 'bankAccount', isHidden: isPersonal, wide: true, help: '专用发票必填' },
  { key: 'email', help: '电子发票发送到' },
  { key: 'mobile' },
]

/** The kinds that the set has opened. */
export const kindControl = (kinds: readonly InvoiceKind[]): Control =>
  function KindControl({ value, onChange, onBlur, id, disabled, invalid }) {
    return (
      <Select
        id={id}
        style={{ width: '100%' }}
        value={(value as InvoiceKind | undefined) ?? null}
        disabled={disabled}
        onBlur={onBlur}
        status={invalid ? 'error' : ''}
        options={kinds.map(k => ({ value: k, label: labelOf(invoiceKind, k) }))}
        onChange={onChange}
        aria-label="票种"
      />
    )
  }

/** The faults of INV-4 by field, before anything is sent. */
export const findTitleFaults = (v: object): Record<string, string> | undefined => {
  const x = v as Title & { readonly kind?: InvoiceKind }
  const out = x.kind && titleFaults({ ...x, title: x.title ?? '' }, x.kind)
  return out && Object.keys(out).length ? out : undefined
}
