import { AutoComplete, Select } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/kinds.tsx'
import type { Ask } from '#kit/web/form/form-fields.tsx'
import { invoiceKind, titleType } from '../contract/choices.ts'
import type { Title } from '../contract/title.ts'
import { titleFaults, type Kind } from '../domain/invoice.ts'

interface Said {
  readonly kind?: Kind
  readonly titleType?: Title['titleType']
}

const person = (v: Said): boolean => v.titleType !== 'company'

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

const empty = {
  taxNo: undefined,
  addressPhone: undefined,
  bankAccount: undefined,
  email: undefined,
  mobile: undefined,
}

/** INV-4: who the invoice is for; a company has more to say than a person. */
export const titleAsks = (used: readonly Title[]): readonly Ask[] => [
  { key: 'titleType' },
  {
    key: 'title',
    control: titleControl(used),
    wide: false,
    help: used.length ? '可选用过的抬头' : undefined,
    spread: v => (typeof v === 'object' && v !== null ? { ...empty, ...v } : { title: v }),
  },
  { key: 'taxNo', hidden: person, help: '15 到 20 位大写字母或数字，企业必填' },
  { key: 'addressPhone', hidden: person, wide: true, help: '专用发票必填' },
  { key: 'bankAccount', hidden: person, wide: true, help: '专用发票必填' },
  { key: 'email', help: '电子发票发送到' },
  { key: 'mobile' },
]

/** The kinds that the set has opened. */
export const kindControl = (kinds: readonly Kind[]): Control =>
  function KindControl({ value, onChange, onBlur, id, disabled, invalid }) {
    return (
      <Select
        id={id}
        style={{ width: '100%' }}
        value={(value as Kind | undefined) ?? null}
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
export const titleRules = (v: object): Record<string, string> | undefined => {
  const x = v as Title & { readonly kind?: Kind }
  const out = x.kind && titleFaults({ ...x, title: x.title ?? '' }, x.kind)
  return out && Object.keys(out).length ? (out as Record<string, string>) : undefined
}
