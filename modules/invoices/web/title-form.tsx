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

const isPersonal = ({ titleType: type }: TitleValues): boolean => type !== 'company'

/** The title, typed or one that the payer has used, which fills in the other fields. */
const titleControl = (usedTitles: readonly Title[]): Control =>
  function TitleControl({ value, onChange, onBlur, id, disabled, invalid, describedBy }) {
    return (
      <AutoComplete
        id={id}
        style={{ width: '100%' }}
        value={typeof value === 'string' ? value : ''}
        disabled={disabled}
        onBlur={onBlur}
        status={invalid ? 'error' : ''}
        maxLength={80}
        aria-label="发票抬头"
        {...(describedBy ? { 'aria-describedby': describedBy } : {})}
        options={usedTitles.map((title, index) => ({
          value: String(index),
          label: `${title.title}（${labelOf(titleType, title.titleType)}${title.taxNo ? ` ${title.taxNo}` : ''}）`,
        }))}
        onSelect={index => onChange(usedTitles[Number(index)])}
        onChange={text => {
          if (!(usedTitles[Number(text)] && /^\d+$/.test(String(text)))) {
            onChange(text)
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

/** INV-4: who the invoice is for; a company has more fields than a person. */
export const titleFormFields = (usedTitles: readonly Title[]): readonly FormField[] => [
  { key: 'titleType' },
  {
    key: 'title',
    control: titleControl(usedTitles),
    wide: false,
    help: usedTitles.length ? '可选用过的抬头' : undefined,
    spreadValue: value =>
      typeof value === 'object' && value !== null ? { ...emptyTitle, ...value } : { title: value },
  },
  { key: 'taxNo', isHidden: isPersonal, help: '15 到 20 位大写字母或数字，企业必填' },
  { key: 'addressPhone', isHidden: isPersonal, help: '专用发票必填' },
  { key: 'bankAccount', isHidden: isPersonal, help: '专用发票必填' },
  { key: 'email', help: '电子发票发送到' },
  { key: 'mobile' },
]

/** The kinds that the setting allows. */
export const kindControl = (kinds: readonly InvoiceKind[]): Control =>
  function KindControl({ value, onChange, onBlur, id, disabled, invalid }) {
    return (
      <Select
        id={id}
        style={{ width: '100%' }}
        value={kinds.find(kind => kind === value) ?? null}
        disabled={disabled}
        onBlur={onBlur}
        status={invalid ? 'error' : ''}
        options={kinds.map(kind => ({ value: kind, label: labelOf(invoiceKind, kind) }))}
        onChange={onChange}
        aria-label="票种"
      />
    )
  }

/** The faults of INV-4 by field, before anything is sent. */
export const findTitleFaults = (
  values: Partial<Title> & { readonly kind?: InvoiceKind },
): Record<string, string> | undefined => {
  const { kind, title = '', titleType: type = 'personal' } = values
  const faults = kind && titleFaults({ ...values, title, titleType: type }, kind)
  return faults && Object.keys(faults).length ? faults : undefined
}
