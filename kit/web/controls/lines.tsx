import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { cellRenderers } from '../cell-renderers.tsx'
import { RequiredStar, isMarkedRequired } from '../required-star.tsx'
import type { Control, ControlProps } from './control-kinds.tsx'

type Row = Readonly<Record<string, unknown>>

const visibleMembers = (f: Field): [string, Field][] =>
  Object.entries(nestedFieldsOf(f)).filter(
    ([, m]) => !m.derived && m.kind !== 'id' && !m.hiddenIn?.includes('form'),
  )

/** What a form's rows are where they are more than their members. */
interface LinesPresentation {
  /** Members without a column of their own. */
  readonly hiddenMembers?: readonly string[]
  /** The first column: what a row is about, by its index. */
  readonly subject?: { readonly title: string; readonly draw: (index: number) => ReactNode }
  readonly removeLabel?: (index: number) => string
  /** How rows come in, instead of by 添加一行; none where the form is disabled. */
  readonly addition?: ReactNode
}

interface LinesControlProps extends ControlProps, LinesPresentation {
  readonly controls: Readonly<Record<FieldKind, Control>>
}

interface LineProps extends LinesControlProps {
  readonly index: number
  readonly row: Row
  readonly members: readonly [string, Field][]
  readonly onRow: (row: Row) => void
  readonly onRemove: () => void
}

/** One row: what it is about, a control per member, and a way out. */
const Line = ({ index, row, members, onRow, onRemove, ...form }: LineProps) => (
  <>
    {form.subject && <td>{form.subject.draw(index)}</td>}
    {members.map(([key, member]) => {
      const MemberControl = form.controls[member.kind]
      const fault = form.nestedFaults[`[${index}].${key}`]
      const fieldWithoutUnit = { ...member, unit: undefined } as Field
      return (
        <td key={key} className={cellRenderers[member.kind].align}>
          <MemberControl
            field={fieldWithoutUnit}
            id={`${form.id}-${index}-${key}`}
            value={row[key]}
            onChange={v => onRow({ ...row, [key]: v })}
            onBlur={form.onBlur}
            disabled={form.disabled}
            invalid={fault !== undefined}
            describedBy={undefined}
            formValues={{ ...form.formValues, ...row }}
            nestedFaults={{}}
            compact
          />
          {fault && <span className="fault">{fault}</span>}
        </td>
      )
    })}
    <td>
      {!form.disabled && (
        <button
          type="button"
          className="plain"
          aria-label={form.removeLabel?.(index) ?? `删除第 ${index + 1} 行`}
          onClick={onRemove}
        >
          <DeleteOutlined />
        </button>
      )}
    </td>
  </>
)

/** Texts up to this length get a narrow column: units, bounds. */
const shortText = 20

/** A form is 720 px wide: what takes few characters leaves the room to the names. */
function minWidthOf(member: Field): number {
  const { kind, max } = member
  if (kind === 'flag') return 56
  if (kind === 'int') return 72
  if (kind === 'text') return max !== undefined && max <= shortText ? 76 : 160
  return Math.max(96, cellRenderers[kind].width(member))
}

const columnStyle = (member: Field): CSSProperties => ({
  minWidth: minWidthOf(member),
  textAlign: cellRenderers[member.kind].align,
})

/** Enter in an input of the last row adds one; not where it chooses from a list or a calendar. */
const addsRow = (e: KeyboardEvent): boolean =>
  e.key === 'Enter' &&
  !e.nativeEvent.isComposing &&
  e.target instanceof HTMLInputElement &&
  !e.target.closest('.ant-select, .ant-picker')

/** Rows inside a form: one control per member; Enter in the last row adds one. */
export function LinesControl(form: LinesControlProps) {
  const { field, id, onChange, disabled, subject, hiddenMembers, addition } = form
  const rows = (form.value as readonly Row[] | undefined) ?? []
  const members = visibleMembers(field).filter(([key]) => !hiddenMembers?.includes(key))
  const isFull = field.max !== undefined && rows.length >= field.max
  const newRow = (): Row =>
    Object.fromEntries(members.flatMap(([k, m]) => (m.initial === undefined ? [] : [[k, m.initial]])))
  const add = (): void => {
    if (!isFull) {
      onChange([...rows, newRow()])
    }
  }
  const onRowKey = (e: KeyboardEvent, index: number): void => {
    if (addition === undefined && index === rows.length - 1 && addsRow(e)) {
      e.preventDefault()
      add()
    }
  }
  const addButton = (
    <Button
      size="small"
      icon={<PlusOutlined />}
      disabled={isFull}
      title={isFull ? `最多 ${field.max} 行` : undefined}
      onClick={add}
    >
      添加一行
    </Button>
  )
  return (
    <div className="lines" id={id} aria-describedby={form.describedBy} role="group" aria-label={field.label}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {subject && <th style={{ minWidth: 120 }}>{subject.title}</th>}
              {members.map(([key, member]) => (
                <th key={key} style={columnStyle(member)}>
                  {isMarkedRequired(member) && <RequiredStar />}
                  {member.unit ? `${member.label}（${member.unit}）` : member.label}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i} onKeyDown={e => onRowKey(e, i)}>
                <Line
                  {...form}
                  index={i}
                  row={row}
                  members={members}
                  onRow={changed => onChange(rows.with(i, changed))}
                  onRemove={() => onChange(rows.toSpliced(i, 1))}
                />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!disabled && (addition ?? addButton)}
    </div>
  )
}
