import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Field, Fields } from '#kit/contract/field.ts'
import { controls, type Control } from '#kit/web/controls/control-kinds.tsx'
import { incomingPersonFields, residencyDraftFields, type IncomingPerson } from '../contract/resident.ts'
import './residents.css'

/** Rows of a form with these members alone: the whole record would not fit a table. */
const createRowsControl = (members: Fields): Control => {
  const Lines = controls.lines
  return p => <Lines {...p} field={{ ...p.field, fields: members }} />
}

/** Rooms of somebody, each by its code. */
export const RoomLinesControl = createRowsControl({
  roomCode: { ...residencyDraftFields.roomCode, label: '房屋', target: 'room', required: true } as never,
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
} as never

/** What only a new person is asked; of a known one it is on record. */
const newPersonFields = {
  name: { ...incomingPersonFields.name, label: '姓名', required: true } as never,
  mobile: incomingPersonFields.mobile,
  gender: incomingPersonFields.gender,
  certType: incomingPersonFields.certType,
  certNo: incomingPersonFields.certNo,
} satisfies Record<string, Field>

/** People, one under the other: a known one is chosen, of a new one the form asks. */
const createPeopleControl =
  (members: Fields): Control =>
  p => {
    const people = (p.value as readonly PersonRow[] | undefined) ?? []
    const full = p.field.max !== undefined && people.length >= p.field.max
    const put = (i: number, k: string, v: unknown): void =>
      p.onChange(
        people.map((r, n) =>
          n === i
            ? {
                ...r,
                [k]: v,
                ...(k === 'userId' && v
                  ? Object.fromEntries(Object.keys(newPersonFields).map(f => [f, undefined]))
                  : {}),
              }
            : r,
        ),
      )
    const fresh = Object.fromEntries(
      Object.entries(members).flatMap(([k, m]) => (m.initial === undefined ? [] : [[k, m.initial]])),
    )
    return (
      <div
        className="people-lines"
        id={p.id}
        role="group"
        aria-label={p.field.label}
        aria-describedby={p.describedBy}
      >
        {people.map((r, i) => {
          const asked: [string, Field][] = [
            ['userId', knownPersonField],
            ...(r.userId ? [] : (Object.entries(newPersonFields) as [string, Field][])),
            ...Object.entries(members),
          ]
          return (
            <fieldset key={i}>
              <legend>
                第 {i + 1} 位
                {people.length > 1 && !p.disabled && (
                  <button
                    type="button"
                    className="plain"
                    aria-label={`删除第 ${i + 1} 位`}
                    onClick={() => p.onChange(people.filter((_, n) => n !== i))}
                  >
                    <DeleteOutlined />
                  </button>
                )}
              </legend>
              {asked.map(([k, m]) => {
                const Ask = controls[m.kind]
                const wrong = p.nestedFaults[`[${i}].${k}`]
                const id = `${p.id}-${i}-${k}`
                return (
                  <div key={k}>
                    <label htmlFor={id}>
                      {m.required && (
                        <i className="star" aria-hidden>
                          *
                        </i>
                      )}
                      {m.label}
                    </label>
                    <Ask
                      field={m}
                      id={id}
                      value={r[k]}
                      onChange={v => put(i, k, v)}
                      onBlur={p.onBlur}
                      disabled={p.disabled}
                      invalid={wrong !== undefined}
                      describedBy={wrong ? `${id}-fault` : undefined}
                      formValues={{ ...p.formValues, ...r }}
                      nestedFaults={{}}
                      compact
                    />
                    {wrong && (
                      <span id={`${id}-fault`} className="fault" role="alert">
                        {wrong}
                      </span>
                    )}
                  </div>
                )
              })}
            </fieldset>
          )
        })}
        {!p.disabled && (
          <Button
            size="small"
            icon={<PlusOutlined />}
            disabled={full}
            title={full ? `最多 ${p.field.max} 位` : undefined}
            onClick={() => p.onChange([...people, fresh])}
          >
            添加一位
          </Button>
        )}
      </div>
    )
  }

/** People who come together. */
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

/** Each names a known person or gives a name. */
export const unnamedPersonFault = (
  people: readonly Partial<IncomingPerson>[] | undefined,
): string | undefined =>
  !people?.length
    ? '请至少添加一位住户'
    : people.some(p => !p.userId && !p.name?.trim())
      ? '每一位请选择已有住户，或填写新住户的姓名'
      : undefined
