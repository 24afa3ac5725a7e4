import { Checkbox, Input } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { printPart } from '../contract/print.ts'
import type { DocType, PrintPart, PrintSetting } from '../domain/print.ts'
import { layoutOf, orderOf, stepped, zones, type Zone } from '../domain/print-layout.ts'
import { samples } from './print-sample.ts'

const zoneNames: Readonly<Record<Zone, string>> = {
  facts: '表头上方',
  columns: '表格的列',
  lines: '表格下方',
  rest: '其他',
}

const unnamed: ReadonlySet<PrintPart> = new Set(['logo', 'signature'])

/** As the document calls it itself. */
const shipped = (d: DocType, p: PrintPart): string => {
  const c = samples[d]
  return (
    [...c.facts, ...(c.columns ?? []), ...(c.lines ?? [])].find(x => x.part === p)?.label ??
    (p === 'printTime' ? '打印' : labelOf(printPart, p))
  )
}

export interface Chosen {
  readonly parts: readonly PrintPart[]
  readonly labels: NonNullable<PrintSetting['labels']>
}

/** What stands on the sheet, zone by zone: ticked or not, under which name, in which order. */
export const partsControl =
  (d: DocType): Control =>
  p => {
    const parts = (p.value as readonly PrintPart[] | undefined) ?? []
    const labels = (p.given.labels as Chosen['labels'] | undefined) ?? []
    const order = orderOf(d, parts)
    const say = (next: Partial<Chosen>): void => p.onChange({ parts, labels, ...next } satisfies Chosen)
    const tick = (x: PrintPart, on: boolean): void =>
      say({ parts: order.filter(o => (o === x ? on : parts.includes(o))) })
    const move = (x: PrintPart, by: 1 | -1, zone: readonly PrintPart[]): void =>
      say({ parts: stepped(order, zone, x, by).filter(o => parts.includes(o)) })
    const name = (x: PrintPart, text: string): void =>
      say({
        labels: [
          ...labels.filter(l => l.part !== x),
          ...(text && text !== shipped(d, x) ? [{ part: x, label: text }] : []),
        ],
      })
    return (
      <div className="print-parts" id={p.id} role="group" aria-label="打印内容">
        {zones
          .filter(z => layoutOf[d][z].length)
          .map(z => {
            const mine = order.filter(o => layoutOf[d][z].includes(o))
            const on = mine.filter(x => parts.includes(x))
            return (
              <fieldset key={z}>
                <legend>{zoneNames[z]}</legend>
                {mine.map(x => {
                  const shown = parts.includes(x)
                  const at = on.indexOf(x)
                  const own = shipped(d, x)
                  return (
                    <div key={x}>
                      <Checkbox
                        checked={shown}
                        disabled={p.disabled}
                        onChange={e => tick(x, e.target.checked)}
                        aria-label={`打印${own}`}
                      >
                        {unnamed.has(x) ? own : null}
                      </Checkbox>
                      {!unnamed.has(x) && (
                        <Input
                          size="small"
                          aria-label={`「${own}」的名称`}
                          maxLength={12}
                          disabled={p.disabled || !shown}
                          value={labels.find(l => l.part === x)?.label ?? own}
                          onChange={e => name(x, e.target.value)}
                        />
                      )}
                      {z !== 'rest' && (
                        <span>
                          <button
                            type="button"
                            className="plain"
                            aria-label={`「${own}」上移`}
                            disabled={p.disabled || !shown || at === 0}
                            onClick={() => move(x, -1, on)}
                          >
                            <ArrowUpOutlined />
                          </button>
                          <button
                            type="button"
                            className="plain"
                            aria-label={`「${own}」下移`}
                            disabled={p.disabled || !shown || at === on.length - 1}
                            onClick={() => move(x, 1, on)}
                          >
                            <ArrowDownOutlined />
                          </button>
                        </span>
                      )}
                    </div>
                  )
                })}
              </fieldset>
            )
          })}
      </div>
    )
  }
