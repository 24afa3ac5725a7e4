import { dayOfMoment, timeOf, type Moment } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { today } from '#kit/web/date-format.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { Status } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { openMethod, passageDirection } from '../contract/choices.ts'
import { listPassages, type Passage } from '../contract/passage.ts'
import { livePassages } from './live-source.ts'
import { personText } from './passage-text.ts'

const shown = 24
const pictureSize = 96

/** Of another day with its date. */
const whenText = (moment: Moment): string =>
  dayOfMoment(moment) === today() ? timeOf(moment) : moment.slice('2026-'.length)

const Tile = ({ passage }: { readonly passage: Passage }) => (
  <li className={passage.openStatus === 'opened' ? undefined : 'refused'}>
    {passage.picture === undefined ? (
      <span className="no-picture" aria-hidden>
        {personText(passage).slice(0, 1)}
      </span>
    ) : (
      <StoredImages fileKeys={[passage.picture]} size={pictureSize} />
    )}
    <div>
      <b>{personText(passage)}</b>
      <p>{passage.roomPath ?? passage.cardNo ?? ''}</p>
      <p>
        {passage.doorwayName} · {labelOf(passageDirection, passage.direction)}
      </p>
      <p>
        <time>{whenText(passage.recordTime)}</time> {labelOf(openMethod, passage.openMethod)}
      </p>
      <Status tone={passage.openStatus === 'opened' ? 'done' : 'bad'} plain>
        {passage.openStatus === 'opened' ? '已开' : ['未开', passage.reason].filter(Boolean).join('：')}
      </Status>
    </div>
  </li>
)

/** The latest that passed, with their pictures: changes by itself. */
export function LivePassages() {
  const project = useProject()
  useLiveRefetch(livePassages, [listPassages])
  const latest = useCall(
    listPassages,
    { page: 1, size: shown, ...(project ? { projectCode: project } : {}) },
    { quiet: true, keepPrevious: true },
  )
  return (
    <ScrollRegion className="live-passages" label="最近通行">
      <Loaded query={latest} height={480} rows={6} keepsAnswer>
        {({ rows }) =>
          rows.length ? (
            <ol aria-live="polite">
              {rows.map(row => (
                <Tile key={row.id} passage={row} />
              ))}
            </ol>
          ) : (
            <Empty text="近 30 天暂无通行" />
          )
        }
      </Loaded>
    </ScrollRegion>
  )
}
