import { planCluster, type Measured } from './distribution/capacity.ts'

/**
 * How many nodes an installation needs and what they cost, from what was measured on one node
 * (docs/scale.md): `node tools/launch.mjs tools/capacity.ts`.
 */
const measured: Measured = {
  bytesPerBill: 4850,
  paymentCpuMs: 11,
  readCpuMs: 10,
}

const cases = [
  { companies: 1, bills: 1e6 },
  { companies: 10, bills: 1e7 },
  { companies: 100, bills: 1e8 },
  { companies: 1000, bills: 1e9 },
  { companies: 3000, bills: 3e9 },
  { companies: 10_000, bills: 1e10 },
]

console.log('| 公司 | 账单 | 数据 | 高峰收款/秒 | 高峰查询/秒 | 工作节点 | 由什么决定 | 每月约 |')
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |')
for (const size of cases) {
  const plan = planCluster(size, measured)
  const bytes = plan.dataGb >= 1000 ? `${(plan.dataGb / 1000).toFixed(1)} TB` : `${plan.dataGb.toFixed(0)} GB`
  console.log(
    `| ${size.companies} | ${size.bills.toExponential(0).replace('e+', '×10^')} | ${bytes} | ${plan.paymentsPerSecond.toFixed(1)} | ${plan.readsPerSecond.toFixed(0)} | ${plan.workers || '一台即可'} | ${plan.limit} | ${Math.round(plan.monthlyYuan).toLocaleString('zh-CN')} 元 |`,
  )
}
