export { MethodControl, TendersControl } from './tenders.tsx'
