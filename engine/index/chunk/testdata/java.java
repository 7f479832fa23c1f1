/* Licence. */
package org.example.bank;

import java.util.List;
import static java.util.Objects.requireNonNull;

/**
 * An account.
 */
@Entity
public final class Account implements Comparable<Account> {
    public static final int LIMIT = 1000, FLOOR = 0;
    private final List<Entry> entries;

    public Account(List<Entry> entries) {
        this.entries = requireNonNull(entries);
    }

    /** Takes money out. */
    @Override
    public synchronized long withdraw(long cents) throws OverdrawnException {
        if (cents > balance()) {
            throw new OverdrawnException();
        }
        return cents;
    }

    long balance() { return 0; }

    enum Kind { DEBIT, CREDIT { long sign() { return -1; } } }

    record Entry(Kind kind, long cents) {
        Entry { assert cents >= 0; }
    }
}

interface Auditor {
    int VERSION = 2;
    void audit(Account account);
}

@interface Entity { String name() default ""; }
