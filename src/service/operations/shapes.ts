import type { Template } from './operation.ts'

/** Maximum statements kept. Each combination of arguments is a statement. */
const MOST = 500

/** Caches prepared statements by template and conditions. Above the maximum, all are dropped. */
export class Shapes<T> {
  readonly #known = new Map<Template, Map<string, T>>()
  readonly #make: (template: Template, conditions: string) => T
  #count = 0

  constructor(make: (template: Template, conditions: string) => T) {
    this.#make = make
  }

  of(template: Template, conditions: string): T {
    const known = this.#known.get(template)?.get(conditions)
    return known ?? this.#add(template, conditions)
  }

  #add(template: Template, conditions: string): T {
    if (this.#count >= MOST) {
      this.#known.clear()
      this.#count = 0
    }
    const made = this.#make(template, conditions)
    const known = this.#known.get(template) ?? new Map<string, T>()
    this.#known.set(template, known.set(conditions, made))
    this.#count += 1
    return made
  }
}
