import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Field, Fields } from '#kit/contract/field.ts'
import { controls, type Control, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { incomingPersonFields, residencyDraftFields, type IncomingPerson } from '../contract/resident.ts'
import './residents.css'

/** Rows of a form with these fields alone: the whole record would not fit a table. */
const createRowsControl = (fields: Fields): Control => {
  const Lines = controls.lines
  return props => <Lines {...props} field={{ ...props.field, fields }} />
}

const roomCodeField: Field = {
  ...residencyDraftFields.roomCode,
  label: '房屋',
  target: 'room',
  required: true,
}

/** Rooms of somebody, each by its code. */
export const RoomLinesControl = createRowsControl({
  roomCode: roomCodeField,
  relation: residencyDraftFields.relation,
  isMain: residencyDraftFields.isMain,
  isPayer: residencyDraftFields.isPayer,
  inDate: residencyDraftFields.inDate,
  leaseBegin: residencyDraftFields.leaseBegin,
  leaseEnd: residencyDraftFields.leaseEnd,
  pending: residencyDraftFields.pending,
})

type PersonRow = Readonly<Record<string, unknown>>

const knownPersonField: Field = {
  ...incomingPersonFields.userId,
  kind: 'ref',
  target: 'resident',
  label: '已有住户',
}

const nameField: Field = { ...incomingPersonFields.name, label: '姓名', required: true }

/** Fields of a new person; those of a registered one are on record. */
const newPersonFields: Fields = {
  name: nameField,
  mobile: incomingPersonFields.mobile,
  gender: incomingPersonFields.gender,
  certType: incomingPersonFields.certType,
  certNo: incomingPersonFields.certNo,
}

const noNewPerson: PersonRow = Object.fromEntries(Object.keys(newPersonFields).map(key => [key, undefined]))

const isRow = (value: unknown): value is PersonRow => typeof value === 'object' && value !== null
const rowsOf = (value: unknown): readonly PersonRow[] => (Array.isArray(value) ? value.filter(isRow) : [])

interface PersonFieldProps {
  readonly form: ControlProps
  readonly index: number
  readonly fieldKey: string
  readonly field: Field
  readonly row: PersonRow
  readonly onChange: (value: unknown) => void
}

function PersonField({ form, index, fieldKey, field, row, onChange }: PersonFieldProps) {
  const FieldControl = controls[field.kind]
  const fault = form.nestedFaults[`[${index}].${fieldKey}`]
  const id = `${form.id}-${index}-${fieldKey}`
  return (
    <div>
      <label htmlFor={id}>
        {field.required && <RequiredStar />}
        {field.label}
      </label>
      <FieldControl
        field={field}
        id={id}
        value={row[fieldKey]}
        onChange={onChange}
        onBlur={form.onBlur}
        disabled={form.disabled}
        invalid={fault !== undefined}
        describedBy={fault ? `${id}-fault` : undefined}
        formValues={{ ...form.formValues, ...row }}
        nestedFaults={{}}
        compact
      />
      {fault && (
        <span id={`${id}-fault`} className="fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

interface PersonFieldsetProps {
  readonly form: ControlProps
  readonly index: number
  readonly row: PersonRow
  readonly fields: Fields
  readonly onChange: (row: PersonRow) => void
  readonly onRemove: (() => void) | undefined
}

/** A registered person is chosen; of a new one the form asks the facts. */
function PersonFieldset({ form, index, row, fields, onChange, onRemove }: PersonFieldsetProps) {
  const shown: Fields = { userId: knownPersonField, ...(row.userId ? {} : newPersonFields), ...fields }
  return (
    <fieldset>
      <legend>
        第 {index + 1} 位
        {onRemove && (
          <button type="button" className="plain" aria-label={`删除第 ${index + 1} 位`} onClick={onRemove}>
            <DeleteOutlined />
          </button>
        )}
      </legend>
      {Object.entries(shown).map(([key, field]) => (
        <PersonField
          key={key}
          form={form}
          index={index}
          fieldKey={key}
          field={field}
          row={row}
          onChange={value =>
            onChange({ ...row, [key]: value, ...(key === 'userId' && value ? noNewPerson : {}) })
          }
        />
      ))}
    </fieldset>
  )
}

/** People one below the other, with these fields beside their own. */
const createPeopleControl = (fields: Fields): Control => {
  const newRow = Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) =>
      field.initial === undefined ? [] : [[key, field.initial]],
    ),
  )
  return props => {
    const { field, disabled, onChange } = props
    const people = rowsOf(props.value)
    const isFull = field.max !== undefined && people.length >= field.max
    return (
      <div
        className="people-lines"
        id={props.id}
        role="group"
        aria-label={field.label}
        aria-describedby={props.describedBy}
      >
        {people.map((row, index) => (
          <PersonFieldset
            key={index}
            form={props}
            index={index}
            row={row}
            fields={fields}
            onChange={changed => onChange(people.with(index, changed))}
            onRemove={people.length > 1 && !disabled ? () => onChange(people.toSpliced(index, 1)) : undefined}
          />
        ))}
        {!disabled && (
          <Button
            size="small"
            icon={<PlusOutlined />}
            disabled={isFull}
            title={isFull ? `最多 ${field.max} 位` : undefined}
            onClick={() => onChange([...people, newRow])}
          >
            添加一位
          </Button>
        )}
      </div>
    )
  }
}

/** People who move in together. */
export const PeopleLinesControl = createPeopleControl({
  relation: incomingPersonFields.relation,
  isMain: incomingPersonFields.isMain,
  isPayer: incomingPersonFields.isPayer,
})

/** New owners of a room. */
export const OwnerLinesControl = createPeopleControl({
  isMain: incomingPersonFields.isMain,
  isPayer: incomingPersonFields.isPayer,
})

/** Each row chooses a resident or gives a name. */
export const unnamedPersonFault = (
  people: readonly Partial<IncomingPerson>[] | undefined,
): string | undefined =>
  !people?.length
    ? '请至少添加一位住户'
    : people.some(p => !p.userId && !p.name?.trim())
      ? '每一位请选择已有住户，或填写新住户的姓名'
      : undefined
