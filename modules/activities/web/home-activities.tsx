import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import {
  backToHome,
  missingResidentToken,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  useResidentAddress,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { signState } from '../contract/choices.ts'
import { listHomeActivities } from '../contract/home.ts'
import { feeText, hasFee } from '../domain/fee.ts'
import { paths } from '../module.ts'
import './phone.css'

const title = '社区活动'

type Card = NonNullable<typeof listHomeActivities.output.T>['activities'][number]

const stageOf = ({ stageText, ownState }: Card): string =>
  ownState === undefined || ownState === 'cancelled' ? stageText : labelOf(signState, ownState)

const ActivityCard = ({ card, address }: { readonly card: Card; readonly address: ResidentAddress }) => (
  <Link to={residentAddressOf(`${paths.homeActivity}?id=${card.id}`, address)}>
    {card.coverUrl !== undefined && <img src={card.coverUrl} alt="" loading="lazy" />}
    <div>
      <b>{card.title}</b>
      <small>
        {card.beginTime.slice(5, 16)} · {card.address}
        {hasFee(card) && ` · ${feeText(card)}`}
      </small>
      <span className="stage">
        {card.isPinned && '置顶 · '}
        {stageOf(card)}
      </span>
    </div>
  </Link>
)

function OpenedActivities({ address }: { readonly address: ResidentAddress }) {
  const opened = useCall(listHomeActivities, address, { quiet: true, project: 0, staleMs: 0 })
  const page = opened.data
  if (!page)
    return <ResidentPlaceholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  return (
    <ResidentFrame
      title={title}
      note={page.estateName}
      servicePhone={page.servicePhone}
      back={backToHome(address)}
    >
      <main>
        {page.activities.length === 0 ? (
          <p className="empty">暂无活动</p>
        ) : (
          <ul className="activity-list">
            {page.activities.map(card => (
              <li key={card.id}>
                <ActivityCard card={card} address={address} />
              </li>
            ))}
          </ul>
        )}
      </main>
    </ResidentFrame>
  )
}

/** 社区活动: those for the home of a resident. */
export default function HomeActivitiesPage() {
  const address = useResidentAddress()
  return address.token ? (
    <OpenedActivities address={address} />
  ) : (
    <ResidentPlaceholder title={title} error={missingResidentToken} />
  )
}
