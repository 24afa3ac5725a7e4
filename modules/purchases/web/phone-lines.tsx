import { maxLines } from '../contract/lines.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'

export interface LineDraft {
  readonly itemName: string
  readonly spec: string
  readonly unit: string
  readonly quantity: string
  readonly price: string
  readonly remark: string
}

export const emptyLine: LineDraft = {
  itemName: '',
  spec: '',
  unit: '',
  quantity: '',
  price: '',
  remark: '',
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly isRequired?: boolean
  readonly isNumber?: boolean
  readonly onChange: (value: string) => void
}

const TextField = ({ label, value, max, isRequired = false, isNumber, onChange }: TextFieldProps) => (
  <PhoneField label={label} isRequired={isRequired}>
    {control => (
      <input
        {...control}
        maxLength={max}
        value={value}
        {...(isNumber ? { inputMode: 'decimal' } : {})}
        onChange={e => onChange(e.target.value.trimStart())}
      />
    )}
  </PhoneField>
)

interface LineCardProps {
  readonly line: LineDraft
  readonly position: number
  readonly canRemove: boolean
  readonly onChange: (line: LineDraft) => void
  readonly onRemove: () => void
}

function LineCard({ line, position, canRemove, onChange, onRemove }: LineCardProps) {
  const change = (patch: Partial<LineDraft>): void => onChange({ ...line, ...patch })
  return (
    <section className="line" aria-label={`第 ${position} 项`}>
      <header>
        <b>第 {position} 项</b>
        {canRemove && (
          <button type="button" className="big" onClick={onRemove}>
            删除
          </button>
        )}
      </header>
      <TextField
        label="品名"
        isRequired
        max={60}
        value={line.itemName}
        onChange={itemName => change({ itemName })}
      />
      <div className="pair">
        <TextField label="规格" max={60} value={line.spec} onChange={spec => change({ spec })} />
        <TextField label="单位" isRequired max={10} value={line.unit} onChange={unit => change({ unit })} />
      </div>
      <div className="pair">
        <TextField
          label="数量"
          isRequired
          isNumber
          max={15}
          value={line.quantity}
          onChange={quantity => change({ quantity })}
        />
        <TextField
          label="预估单价（元）"
          isRequired
          isNumber
          max={15}
          value={line.price}
          onChange={price => change({ price })}
        />
      </div>
    </section>
  )
}

interface PhoneLinesProps {
  readonly lines: readonly LineDraft[]
  readonly onChange: (lines: readonly LineDraft[]) => void
}

/** The lines of a request, a card each. */
export const PhoneLines = ({ lines, onChange }: PhoneLinesProps) => (
  <>
    {lines.map((line, i) => (
      <LineCard
        key={i}
        line={line}
        position={i + 1}
        canRemove={lines.length > 1}
        onChange={changed => onChange(lines.with(i, changed))}
        onRemove={() => onChange(lines.toSpliced(i, 1))}
      />
    ))}
    {lines.length < maxLines && (
      <button type="button" className="big" onClick={() => onChange([...lines, emptyLine])}>
        添加一项
      </button>
    )}
  </>
)
