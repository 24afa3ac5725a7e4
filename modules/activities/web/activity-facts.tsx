import type { HomeActivity } from '../contract/home.ts'
import { feeText } from '../domain/fee.ts'

const shortTime = (moment: string): string => moment.slice(5, 16)

const placesText = ({ quota, signCount, waitCount }: HomeActivity): string => {
  if (quota === 0) return `已报名 ${signCount} 人，不限名额`
  return `${signCount} / ${quota} 人${waitCount > 0 ? `，候补 ${waitCount} 人` : ''}`
}

/** When, where, and how many places there are. */
export const ActivityFacts = ({ page }: { readonly page: HomeActivity }) => (
  <dl className="facts">
    <div className="wide">
      <dt>时间</dt>
      <dd>
        {shortTime(page.beginTime)} 至 {shortTime(page.endTime)}
      </dd>
    </div>
    <div className="wide">
      <dt>地点</dt>
      <dd>{page.address}</dd>
    </div>
    <div>
      <dt>报名截止</dt>
      <dd>{shortTime(page.signEnd)}</dd>
    </div>
    <div>
      <dt>名额</dt>
      <dd>{placesText(page)}</dd>
    </div>
    <div className="wide">
      <dt>费用</dt>
      <dd>{feeText(page)}</dd>
    </div>
    <div className="wide">
      <dt>进度</dt>
      <dd className="stage">{page.stageText}</dd>
    </div>
  </dl>
)
