import { keysOf, labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { RichText } from '#kit/web/rich-text/rich-text.tsx'
import {
  backToHome,
  missingResidentToken,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  useResidentAddress,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { matterCategory } from '../contract/choices.ts'
import { homeMatters, type HomeMatter } from '../contract/home.ts'
import './resident.css'

const title = '办事指南'

const Matter = ({
  matter: { title: name, steps, materials, place, hours, servicePhone },
}: {
  readonly matter: HomeMatter
}) => (
  <details>
    <summary>{name}</summary>
    <RichText html={steps} />
    {materials !== undefined && (
      <>
        <h3>所需材料</h3>
        <p className="plain-text">{materials}</p>
      </>
    )}
    <dl>
      {place !== undefined && (
        <>
          <dt>办理地点</dt>
          <dd>{place}</dd>
        </>
      )}
      {hours !== undefined && (
        <>
          <dt>办理时间</dt>
          <dd>{hours}</dd>
        </>
      )}
      {servicePhone !== undefined && (
        <>
          <dt>咨询电话</dt>
          <dd>
            <a href={`tel:${servicePhone}`}>{servicePhone}</a>
          </dd>
        </>
      )}
    </dl>
  </details>
)

function OpenedMatters({ address }: { readonly address: ResidentAddress }) {
  const query = useCall(homeMatters, address, { quiet: true, project: 0, staleMs: 0 })
  const page = query.data
  if (!page)
    return <ResidentPlaceholder title={title} error={query.error} onRetry={() => void query.refetch()} />
  const byCategory = Map.groupBy(page.matters, matter => matter.category)
  return (
    <ResidentFrame title={title} note={page.estateName} back={backToHome(address)}>
      <main>
        {!page.matters.length && <p className="empty">暂无办事指南</p>}
        {keysOf(matterCategory).map(category => {
          const found = byCategory.get(category)
          return (
            found && (
              <section key={category} className="notice-matters">
                <h2>{labelOf(matterCategory, category)}</h2>
                {found.map(matter => (
                  <Matter key={matter.id} matter={matter} />
                ))}
              </section>
            )
          )
        })}
      </main>
    </ResidentFrame>
  )
}

/** 办事指南: how residents get something done. */
export default function ResidentMatters() {
  const address = useResidentAddress()
  if (!address.token) return <ResidentPlaceholder title={title} error={missingResidentToken} />
  return <OpenedMatters address={address} key={residentAddressOf('', address)} />
}
