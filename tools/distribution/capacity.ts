/** What one node was measured to need; the figures and how they were taken are in docs/scale.md. */
export interface Measured {
  /** a bill with its months, moves, payments, audit rows and all indexes */
  readonly bytesPerBill: number
  readonly paymentCpuMs: number
  readonly readCpuMs: number
}

export interface Installation {
  readonly companies: number
  /** in all years that are kept */
  readonly bills: number
}

export interface ClusterPlan {
  readonly dataGb: number
  readonly paymentsPerSecond: number
  readonly readsPerSecond: number
  /** 0: one node does it */
  readonly workers: number
  readonly limit: '磁盘' | '处理器' | '一台足够'
  readonly monthlyYuan: number
}

/** A usual worker: 8 cores, 32 GB, 1 TB of fast disk; its price and that of a gigabyte a month, in yuan. */
export const workerSize = { cores: 8, diskGb: 1000, monthlyYuan: 1200, yuanPerGb: 0.7 }

/**
 * Bills are kept for ten years; of a year's bills each is paid once, most on working days in the day's peak.
 */
const yearsKept = 10
const peakSecondsPerYear = 250 * 3 * 3600
const peakShare = 0.5
/** Lists, details and reports opened for each payment. */
const readsPerPayment = 30
/** Statements that wait and crons need room: no node is planned beyond this. */
const usableCpu = 0.5
const usableDisk = 0.6
/** On a cluster a payment takes more of the processors: two-phase commit and the coordinator's planning. */
const clusterFactor = 2.3

/**
 * A simulation by rates, not by randomness: the year's payments in its peak hours, the reads beside them,
 * and the disk of all years. A standby doubles every node.
 */
export function planCluster({ companies, bills }: Installation, measured: Measured): ClusterPlan {
  const dataGb = (bills * measured.bytesPerBill) / 1e9
  const billsPerYear = bills / yearsKept
  const paymentsPerSecond = (billsPerYear * peakShare) / peakSecondsPerYear
  const readsPerSecond = paymentsPerSecond * readsPerPayment
  const coresOn = (factor: number): number =>
    ((paymentsPerSecond * measured.paymentCpuMs + readsPerSecond * measured.readCpuMs) * factor) /
    1000 /
    usableCpu
  const fitsOne = dataGb <= workerSize.diskGb * usableDisk && coresOn(1) <= workerSize.cores
  const byDisk = Math.ceil(dataGb / (workerSize.diskGb * usableDisk))
  const byCpu = Math.ceil(coresOn(clusterFactor) / workerSize.cores)
  // A company is on one node: more nodes than companies help nobody.
  const workers = fitsOne ? 0 : Math.min(companies, Math.max(2, byDisk, byCpu))
  const nodes = (fitsOne ? 1 : workers + 1) * 2
  return {
    dataGb,
    paymentsPerSecond,
    readsPerSecond,
    workers,
    limit: fitsOne ? '一台足够' : byDisk >= byCpu ? '磁盘' : '处理器',
    monthlyYuan: nodes * workerSize.monthlyYuan + dataGb * 2 * workerSize.yuanPerGb,
  }
}
