#!/usr/bin/perl
package Shop::Cart;
use strict;
use warnings;

our $VERSION = '1.0';

=head1 NAME

Shop::Cart - a cart

=cut

# Adds an item.
sub add {
    my ($self, $item) = @_;
    push @{ $self->{items} }, $item;
    return $self;
}

sub _total { return 0 }

1;
