import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { cellRenderers } from '../cell-renderers.tsx'
import type { Control, ControlProps } from './control-kinds.tsx'

type Row = Readonly<Record<string, unknown>>

const visibleMembers = (f: Field): [string, Field][] =>
  Object.entries(nestedFieldsOf(f)).filter(
    ([, m]) => !m.derived && m.kind !== 'id' && !m.hiddenIn?.includes('form'),
  )

/** Rows inside a form: one control per member; Enter in the last row adds one. */
export function LinesControl({
  controls,
  field,
  id,
  value,
  onChange,
  onBlur,
  disabled,
  formValues,
  nestedFaults,
  describedBy,
}: ControlProps & { readonly controls: Readonly<Record<FieldKind, Control>> }) {
  const rows = (value as readonly Row[] | undefined) ?? []
  const members = visibleMembers(field)
  const isFull = field.max !== undefined && rows.length >= field.max
  const setCell = (i: number, key: string, v: unknown): void =>
    onChange(rows.map((r, n) => (n === i ? { ...r, [key]: v } : r)))
  const newRow = (): Row =>
    Object.fromEntries(members.flatMap(([k, m]) => (m.initial === undefined ? [] : [[k, m.initial]])))
  const add = (): void => {
    if (!isFull) {
      onChange([...rows, newRow()])
    }
  }
  return (
    <div className="lines" id={id} aria-describedby={describedBy} role="group" aria-label={field.label}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {members.map(([k, m]) => (
                <th
                  key={k}
                  style={{
                    minWidth: Math.max(96, cellRenderers[m.kind].width(m)),
                    textAlign: cellRenderers[m.kind].align,
                  }}
                >
                  {m.required && <i className="star">*</i>}
                  {m.unit ? `${m.label}（${m.unit}）` : m.label}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr
                key={i}
                onKeyDown={e => {
                  if (
                    e.key === 'Enter' &&
                    !e.nativeEvent.isComposing &&
                    i === rows.length - 1 &&
                    (e.target as HTMLElement).tagName === 'INPUT' &&
                    !(e.target as HTMLElement).closest('.ant-select, .ant-picker')
                  ) {
                    e.preventDefault()
                    add()
                  }
                }}
              >
                {members.map(([k, m]) => {
                  const Control = controls[m.kind]
                  const cellFault = nestedFaults[`[${i}].${k}`]
                  const fieldWithoutUnit = { ...m, unit: undefined } as Field
                  return (
                    <td key={k} className={cellRenderers[m.kind].align}>
                      <Control
                        field={fieldWithoutUnit}
                        id={`${id}-${i}-${k}`}
                        value={row[k]}
                        onChange={v => setCell(i, k, v)}
                        onBlur={onBlur}
                        disabled={disabled}
                        invalid={cellFault !== undefined}
                        describedBy={undefined}
                        formValues={{ ...formValues, ...row }}
                        nestedFaults={{}}
                        compact
                      />
                      {cellFault && <span className="fault">{cellFault}</span>}
                    </td>
                  )
                })}
                <td>
                  {!disabled && (
                    <button
                      type="button"
                      className="plain"
                      aria-label={`删除第 ${i + 1} 行`}
                      onClick={() => onChange(rows.filter((_, n) => n !== i))}
                    >
                      <DeleteOutlined />
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!disabled && (
        <Button
          size="small"
          icon={<PlusOutlined />}
          disabled={isFull}
          title={isFull ? `最多 ${field.max} 行` : undefined}
          onClick={add}
        >
          添加一行
        </Button>
      )}
    </div>
  )
}
