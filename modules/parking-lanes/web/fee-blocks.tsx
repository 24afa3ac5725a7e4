import { displayYuan } from '#kit/domain/money.ts'
import type { testParkFee } from '../contract/price-test.ts'
import './parking-lanes.css'

type FeeBlock = NonNullable<typeof testParkFee.output.T>['blocks'][number]

const clockOf = (moment: string): string => moment.slice(5, 16)

/** A stay as a bar, its parts as long as they last, with the fee and the reason of each below. */
export function FeeBlocks({ blocks }: { readonly blocks: readonly FeeBlock[] }) {
  return (
    <>
      <div className="fee-bar" aria-hidden="true">
        {blocks.map(block => (
          <i
            key={block.from}
            style={{ flexGrow: block.minutes }}
            data-kind={block.fee === 0 ? 'free' : block.isCapped ? 'capped' : 'charged'}
          >
            {displayYuan(block.fee)}
          </i>
        ))}
      </div>
      <ol className="fee-blocks">
        {blocks.map(block => (
          <li key={block.from}>
            <span>
              {clockOf(block.from)} 至 {clockOf(block.to)}
            </span>
            <span className="figure">{block.minutes} 分钟</span>
            <span>{block.reason}</span>
            <b className="figure">{displayYuan(block.fee)}</b>
          </li>
        ))}
      </ol>
    </>
  )
}
