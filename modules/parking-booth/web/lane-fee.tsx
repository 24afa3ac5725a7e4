import { displayYuan } from '#kit/domain/money.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import type { getStayFee } from '#modules/parking-lanes/contract/charge.ts'
import { FeeBlocks } from '#modules/parking-lanes/web/public.fee-blocks.ts'

type StayFee = NonNullable<typeof getStayFee.output.T>

/** What the car owes now, and why. */
export const LaneFee = ({ fee }: { readonly fee: StayFee }) => (
  <section className="booth-fee">
    <dl>
      <div>
        <dt>应收</dt>
        <dd>{displayYuan(fee.shouldPay)}</dd>
      </div>
      <div>
        <dt>已收</dt>
        <dd>{displayYuan(fee.paid)}</dd>
      </div>
      <div className={fee.due > 0 ? 'due' : undefined}>
        <dt>待收</dt>
        <dd>{displayYuan(fee.due)}</dd>
      </div>
    </dl>
    <ScrollRegion label="计费说明" className="booth-fee-parts">
      <p>
        {fee.ruleName ? `${fee.ruleName}：` : ''}
        {fee.sentence}
      </p>
      {fee.blocks.length > 0 && <FeeBlocks blocks={fee.blocks} />}
    </ScrollRegion>
  </section>
)
