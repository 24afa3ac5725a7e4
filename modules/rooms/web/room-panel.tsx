import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import { Button } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { CloseOutlined } from '@ant-design/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { formatValue } from '#kit/contract/value.ts'
import { useCall } from '#kit/web/query.ts'
import { Money, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { usePermission } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { Status } from '#kit/web/status.tsx'
import { getRoomPanel, type PanelSectionContent, type PanelSectionLine } from '../contract/room-board.ts'
import { room, type Room } from '../contract/room.ts'
import { roomState, roomType } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { tintStyle } from './board-style.ts'
import { cashierPathOf, paths, roomMovesAction } from './paths.ts'
import './board.css'
import './rooms.css'

function PanelLine({ line }: { readonly line: PanelSectionLine }) {
  const hasAmount = line.amount !== undefined
  const content = hasAmount ? <Money fen={line.amount} /> : (line.value ?? emptyPlaceholder)
  return (
    <div className={hasAmount ? 'panel-line panel-amount' : 'panel-line'}>
      <dt>{line.to ? <Link to={line.to}>{line.label}</Link> : line.label}</dt>
      <dd>
        {line.tone ? (
          <Status tone={line.tone} plain>
            {content}
          </Status>
        ) : (
          content
        )}
        {line.note && <small>{line.note}</small>}
      </dd>
    </div>
  )
}

/** One module's section of 一房一档 or of a person's everything. */
export const PanelSection = ({ section }: { readonly section: PanelSectionContent }) => (
  <section className="panel-section">
    <h3>
      {section.title}
      {section.count !== undefined && <small>{section.count}</small>}
      {section.to && <Link to={section.to}>全部</Link>}
    </h3>
    {section.lines.length ? (
      <dl>
        {section.lines.map((line, i) => (
          <PanelLine line={line} key={i} />
        ))}
      </dl>
    ) : (
      <p className="absent">暂无</p>
    )}
  </section>
)

const PanelSections = ({
  panel,
  without: hiddenSection,
}: {
  readonly without?: string
  readonly panel: UseQueryResult<NonNullable<typeof getRoomPanel.output.T>>
}) =>
  panel.isError ? (
    <p style={{ padding: '16px 0' }}>
      {panel.error.message}{' '}
      <button type="button" className="linkish" onClick={() => void panel.refetch()}>
        重试
      </button>
    </p>
  ) : panel.data ? (
    panel.data.sections
      .filter(section => section.key !== hiddenSection)
      .map(section => <PanelSection section={section} key={section.key} />)
  ) : (
    <RowSkeleton rows={8} />
  )

/** The sections alone, inside a detail of the room, which shows the room's own facts itself. */
export function RoomSections({ id }: { readonly id: Id }) {
  const panel = useCall(getRoomPanel, { id }, { keepPrevious: true, quiet: true })
  return (
    <div className="room-sections">
      <PanelSections panel={panel} without="overview" />
    </div>
  )
}

function MovesButton({ room: row }: { readonly room: Pick<Room, 'id'> }) {
  const hasPermission = usePermission()
  const action = roomMovesAction(row)
  if (!action || !hasPermission(action.needs)) return null
  return <Button onClick={() => void action.run()}>{action.label}</Button>
}

/** The way to a work order for the room. */
function RegisterButton({ room: { code } }: { readonly room: Pick<Room, 'code'> }) {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const needs = useHost().screens.find(paths.registerOrder)?.needs
  if (!needs || !hasPermission(needs)) return null
  return <Button onClick={() => navigate(`${paths.registerOrder}?roomCode=${code ?? ''}`)}>登记工单</Button>
}

/** The way to the cashier, with what it would take. */
function CollectButton({
  room: { code },
  unpaid,
}: {
  readonly room: Pick<Room, 'code'>
  readonly unpaid: Fen | undefined
}) {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const cashier = useHost().screens.find(paths.cashier)
  const needs = cashier?.workNeeds ?? cashier?.needs
  if (unpaid === undefined || !needs || !hasPermission(needs)) return null
  return (
    <Button type="primary" onClick={() => navigate(cashierPathOf(code))}>
      {unpaid ? `收款 ${displayYuanWithSymbol(unpaid)}` : '收款'}
    </Button>
  )
}

/** 一房一档: all that the product knows of one room, a section from each module. */
export function RoomPanel({ id, onClose }: { readonly id: Id; readonly onClose: () => void }) {
  const panel = useCall(getRoomPanel, { id }, { keepPrevious: true, quiet: true })
  const hasPermission = usePermission()
  const navigate = useNavigate()
  const shownRoom = panel.data?.room
  const detailPath = shownRoom?.roomType === 'shop' ? paths.shop : paths.room
  const editPath = shownRoom?.roomType === 'shop' ? paths.editShop : paths.editRoom
  return (
    <aside
      className="room-panel"
      aria-label="一房一档"
      onKeyDown={e => {
        if (e.key === 'Escape') {
          onClose()
        }
      }}
    >
      <header className="room-panel-head">
        <div className="room-panel-title">
          <h2>{shownRoom?.path ?? emptyPlaceholder}</h2>
          {shownRoom && (
            <b style={tintStyle(shownRoom.roomState)}>{labelOf(roomState, shownRoom.roomState)}</b>
          )}
          <button type="button" className="plain" aria-label="关闭" onClick={onClose}>
            <CloseOutlined />
          </button>
        </div>
        {shownRoom && (
          <p>
            {[
              labelOf(roomType, shownRoom.roomType),
              shownRoom.buildArea && `建筑 ${formatValue(shownRoom.buildArea, room.fields.buildArea)}`,
              shownRoom.innerArea && `套内 ${formatValue(shownRoom.innerArea, room.fields.innerArea)}`,
              shownRoom.deliverDate && `${shownRoom.deliverDate} 交付`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {shownRoom && (
          <div className="room-panel-actions">
            <CollectButton room={shownRoom} unpaid={panel.data?.unpaid} />
            <Button onClick={() => navigate(`${detailPath}?id=${shownRoom.id}`)}>查看详情</Button>
            <MovesButton room={shownRoom} />
            <RegisterButton room={shownRoom} />
            {hasPermission(menu.room.permissions.edit) && (
              <Button onClick={() => navigate(`${editPath}?id=${shownRoom.id}`)}>编辑</Button>
            )}
          </div>
        )}
      </header>
      <div className="room-panel-body scroll">
        <PanelSections panel={panel} />
      </div>
    </aside>
  )
}
