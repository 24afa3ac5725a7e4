import type { Id } from '#kit/domain/id.ts'
import { Link } from 'react-router'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import type { ColumnSpec } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { listParkStatistics, type Park } from '../contract/park.ts'
import { listPlaces, countPlacesByState } from '../contract/park-place.ts'
import { placeState, type PlaceState } from '../contract/labels.ts'
import { placeScreens } from '../module.ts'
import './parking.css'

export type ParkStatistics = NonNullable<typeof listParkStatistics.output.T>[number]

/** The list of the places that a figure counts. */
export const placeListPathOf = (park: Id, state?: PlaceState): string =>
  listLink(placeScreens.paths.list, listPlaces, {
    parkId: [String(park)],
    ...(state ? { placeState: [state] } : {}),
  })

const formatPercent = (v: string | undefined): string =>
  v === undefined ? emptyPlaceholder : `${Number(v).toFixed(2)}%`

/** What the places of each car park are, beside what its record says of them. */
export const createStatisticsColumns = (of: ReadonlyMap<Id, ParkStatistics>): ColumnSpec<Park>[] => {
  const figure = (key: 'total' | 'free', title: string, state?: PlaceState): ColumnSpec<Park> => ({
    key: `figure-${key}`,
    title,
    width: 76,
    grow: 0,
    align: 'right',
    fitContent: true,
    text: p => String(of.get(p.id)?.[key] ?? emptyPlaceholder),
    render: place => {
      const figures = of.get(place.id)
      return figures ? (
        <Link to={placeListPathOf(place.id, state)} onClick={e => e.stopPropagation()}>
          {formatCount(figures[key])}
        </Link>
      ) : (
        emptyPlaceholder
      )
    },
  })
  return [
    figure('total', '已建车位'),
    figure('free', '空闲', 'free'),
    {
      key: 'figure-rate',
      title: '使用率',
      width: 80,
      grow: 0,
      align: 'right',
      fitContent: true,
      help: '（已售 + 已租 + 自用）÷ 已建车位',
      text: p => formatPercent(of.get(p.id)?.useRate),
      render: p => formatPercent(of.get(p.id)?.useRate),
    },
  ]
}

/** The figures of one car park in a line; each opens the places it counts. */
export function ParkStatisticsBar({ id }: { readonly id: Id }) {
  const all = useCall(listParkStatistics, {}, { quiet: true })
  const figures = all.data?.find(x => x.id === id)
  const cells = [
    ['已建车位', figures?.total, undefined],
    ['空闲', figures?.free, 'free'],
    ['已售', figures?.sold, 'sold'],
    ['已租', figures?.let, 'let'],
    ['自用', figures?.own, 'own'],
    ['停用', figures?.off, 'off'],
  ] as const
  if (all.isError)
    return (
      <p className="park-figures" role="alert">
        {all.error.message || '车位统计加载失败'}{' '}
        <button type="button" className="linkish" onClick={() => void all.refetch()}>
          重试
        </button>
      </p>
    )
  return (
    <dl className="park-figures">
      {cells.map(([label, count, state]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {count === undefined ? (
              emptyPlaceholder
            ) : (
              <Link to={placeListPathOf(id, state)}>{formatCount(count)}</Link>
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>使用率</dt>
        <dd>{formatPercent(figures?.useRate)}</dd>
      </div>
    </dl>
  )
}

/** Places by state, as a part of all. */
export function PlacesByState({ park }: { readonly park: Pick<Park, 'id' | 'projectCode'> }) {
  const query = useCall(
    countPlacesByState,
    { projectCode: park.projectCode, parkId: park.id },
    { quiet: true },
  )
  const all = (query.data ?? []).reduce((a, r) => a + r.count, 0)
  if (query.isError)
    return (
      <p className="by-state" role="alert">
        {query.error.message || '车位状态加载失败'}{' '}
        <button type="button" className="linkish" onClick={() => void query.refetch()}>
          重试
        </button>
      </p>
    )
  return (
    <section className="by-state">
      <h3>车位状态</h3>
      {query.data && all === 0 && <p className="absent">暂无车位</p>}
      <ul>
        {all > 0 &&
          query.data?.map(row => (
            <li key={row.placeState}>
              <ChoiceStatus choices={placeState} value={row.placeState} plain />
              <span className="bar" aria-hidden="true">
                <i style={{ width: `${(row.count / all) * 100}%` }} />
              </span>
              <Link to={placeListPathOf(park.id, row.placeState)}>{formatCount(row.count)}</Link>
            </li>
          ))}
      </ul>
    </section>
  )
}
