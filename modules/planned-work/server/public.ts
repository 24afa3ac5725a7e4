/** How other modules have their own kinds of planned work: what is planned, who does it, what came of it. */
export {
  findPlannedTargets,
  registerWorkKind,
  registerWorkTargets,
  type Finding,
  type SignInput,
  type SignMatch,
  type SignMatcher,
  type StepDraft,
  type StepNeeds,
  type SubjectKey,
  type WorkKindRules,
  type WorkSubject,
  type WorkTarget,
} from './kinds.ts'
export { targetFilter, targetLimit } from './target-filter.ts'
export { generateForPlans, lockGeneration, rebuildTasks } from './generate.ts'
export { planHooks, previewPlan, setPlanState, type PreviewTask } from './plan.ts'
export { againAppoint, disableTasks, finishTask, type Appointment } from './arrange.ts'
export { assignTasks } from './assign.ts'
export { submitSigns, type SignAnswer, type SignBatch } from './signs.ts'
export {
  enrichSteps,
  enrichTasks,
  findMyTasks,
  findSignPage,
  findStepPage,
  findSteps,
  findTaskPage,
  type OwnTask,
} from './task-lists.ts'
export {
  findPointRates,
  findRates,
  totalOfPoints,
  type PointRates,
  type RateKey,
  type RateQuery,
  type Rates,
} from './rates.ts'
export { awaitsAgainCondition } from './task-conditions.ts'
export { againQueue, ownTasksQueue } from './kind-queues.ts'
export { findShortPlan } from './plan-reach.ts'
export { findWorker, requireWorker } from './worker.ts'
export { itemFaults, standardFaults, stepsOfItems } from './item-steps.ts'
export { orderOfFinding, reportFinding } from './finding-order.ts'
export { kindServer, registerPlansOf, toSubjects } from './kind-server.ts'
