import { Button } from 'antd'
import type { Fields } from '#kit/contract/field.ts'
import { controls, type Control } from '#kit/web/controls/control-kinds.tsx'
import { LinesControl } from '#kit/web/controls/lines.tsx'
import { readRows } from '#kit/web/controls/read-value.ts'

/** What a row is about: the item, and how much of it may still be entered. */
export interface KnownLine {
  readonly lineNo: number
  readonly name: string
  readonly rest: string
  /** The row as it is offered. */
  readonly start: Readonly<Record<string, unknown>>
}

/** Rows for known lines alone: each may be left out and taken in again, none added. */
export const knownLinesControl = (fields: Fields, known: readonly KnownLine[]): Control =>
  function KnownLines(props) {
    const rows = readRows<{ readonly lineNo?: number }>(props.value)
    const lineOf = (index: number): KnownLine | undefined =>
      known.find(line => line.lineNo === rows[index]?.lineNo)
    const isPartial = rows.length < known.length
    return (
      <LinesControl
        {...props}
        controls={controls}
        field={{ ...props.field, fields }}
        hiddenMembers={['lineNo']}
        subject={{
          title: '品名',
          draw: index => (
            <>
              {lineOf(index)?.name}
              <br />
              <small className="purchase-rest">{lineOf(index)?.rest}</small>
            </>
          ),
        }}
        removeLabel={index => `不含 ${lineOf(index)?.name ?? ''}`}
        addition={
          isPartial ? (
            <Button size="small" onClick={() => props.onChange(known.map(line => line.start))}>
              恢复全部明细
            </Button>
          ) : (
            <></>
          )
        }
      />
    )
  }
