import { FieldFault, PhoneField } from '#kit/web/phone/phone-field.tsx'
import type { VisitorKind } from '../contract/choices.ts'
import { offeredAnswers, type Question } from '../domain/questions.ts'
import type { TypedVisitor } from './host-draft.ts'

interface KindChoiceProps {
  readonly kinds: readonly (readonly [VisitorKind, string])[]
  readonly chosen: VisitorKind | undefined
  readonly fault: string | undefined
  readonly onChoose: (kind: VisitorKind) => void
}

export const KindChoice = ({ kinds, chosen, fault, onChoose }: KindChoiceProps) => (
  <div className="field">
    <span className="label">访客类别</span>
    <div className="choices" role="group" aria-label="访客类别">
      {kinds.map(([kind, label]) => (
        <button
          key={kind}
          type="button"
          className="big"
          aria-pressed={kind === chosen}
          onClick={() => onChoose(kind)}
        >
          {label}
        </button>
      ))}
    </div>
    <FieldFault fault={fault} />
  </div>
)

interface VisitorFieldsProps {
  readonly place: number
  readonly visitor: TypedVisitor
  readonly allowsCar: boolean
  readonly faults: { readonly [key in keyof TypedVisitor]: string | undefined }
  readonly onChange: (visitor: TypedVisitor) => void
  readonly onRemove: (() => void) | undefined
}

export const VisitorFields = ({
  place,
  visitor,
  allowsCar,
  faults,
  onChange,
  onRemove,
}: VisitorFieldsProps) => (
  <section className="person" aria-label={`访客 ${place + 1}`}>
    <PhoneField label="访客姓名" isRequired fault={faults.name}>
      {control => (
        <input
          {...control}
          maxLength={40}
          value={visitor.name}
          onChange={event => onChange({ ...visitor, name: event.target.value })}
        />
      )}
    </PhoneField>
    <PhoneField label="访客手机号" isRequired={place === 0} fault={faults.mobile}>
      {control => (
        <input
          {...control}
          type="tel"
          maxLength={11}
          value={visitor.mobile}
          onChange={event => onChange({ ...visitor, mobile: event.target.value })}
        />
      )}
    </PhoneField>
    {allowsCar && (
      <PhoneField label="车牌" hint="选填" fault={faults.plate}>
        {control => (
          <input
            {...control}
            maxLength={12}
            value={visitor.plate}
            onChange={event => onChange({ ...visitor, plate: event.target.value })}
          />
        )}
      </PhoneField>
    )}
    {onRemove && (
      <button type="button" className="big" onClick={onRemove}>
        删除这位访客
      </button>
    )}
  </section>
)

interface QuestionsProps {
  readonly questions: readonly Question[]
  readonly answers: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string | undefined>>
  readonly onAnswer: (label: string, answer: string) => void
}

/** What the property asks of its own. */
export const Questions = ({ questions, answers, faults, onAnswer }: QuestionsProps) =>
  questions.map(question => {
    const { label, isRequired } = question
    const options = offeredAnswers(question)
    return (
      <PhoneField key={label} label={label} isRequired={isRequired} fault={faults[label]}>
        {control =>
          options ? (
            <select
              {...control}
              value={answers[label] ?? ''}
              onChange={event => onAnswer(label, event.target.value)}
            >
              <option value="">请选择</option>
              {options.map(option => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : (
            <input
              {...control}
              maxLength={200}
              value={answers[label] ?? ''}
              onChange={event => onAnswer(label, event.target.value)}
            />
          )
        }
      </PhoneField>
    )
  })
