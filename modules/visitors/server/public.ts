export { expectedCarStatement } from './expected-car.ts'
