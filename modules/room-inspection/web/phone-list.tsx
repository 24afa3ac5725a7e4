import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { inspectionState } from '../contract/choices.ts'
import { roomInspections, type RoomInspection } from '../contract/inspection.ts'
import { openStates } from '../domain/inspection.ts'

const kinds = [
  { key: 'own', label: '我的' },
  { key: 'all', label: '全部' },
] as const

function SheetCard({ sheet, onOpen }: { readonly sheet: RoomInspection; readonly onOpen: () => void }) {
  return (
    <li>
      <button type="button" onClick={onOpen}>
        <b>{sheet.roomPath}</b>
        <span>{labelOf(inspectionState, sheet.state)}</span>
        <small>
          {sheet.sheetNo} · {sheet.inspectorName ?? '未指定查验人'}
        </small>
        <small>{sheet.openCount ? `未整改 ${sheet.openCount}` : (sheet.planDate ?? '')}</small>
      </button>
    </li>
  )
}

/** Sheets that are not over, for the phone of the inspector: by their planned day. */
export function SheetList({ onOpen }: { readonly onOpen: (sheet: RoomInspection) => void }) {
  const myId = useSession(s => s.signed?.manager.id)
  const [kind, setKind] = useState<(typeof kinds)[number]['key']>('own')
  const own = kind === 'own' && myId !== undefined ? { inspectorId: [String(myId)] } : {}
  const found = useCall(
    roomInspections.list,
    { states: [...openStates], size: 200, order: 'planDate,id', ...own },
    { quiet: true },
  )
  const rows = found.data?.rows ?? []
  return (
    <>
      <header>
        <div>
          <h1>现场验房</h1>
          <small>{found.data ? `${found.data.total} 张` : ''}</small>
        </div>
        <div className="kinds">
          {kinds.map(({ key, label }) => (
            <button key={key} type="button" aria-pressed={key === kind} onClick={() => setKind(key)}>
              {label}
            </button>
          ))}
        </div>
      </header>
      {found.isError && (
        <p className="empty" role="alert">
          无法读取验房单，请检查网络后重试
        </p>
      )}
      {found.data && !rows.length && <p className="empty">暂无未完成的验房单</p>}
      <ol>
        {rows.map(sheet => (
          <SheetCard key={sheet.id} sheet={sheet} onOpen={() => onOpen(sheet)} />
        ))}
      </ol>
    </>
  )
}
